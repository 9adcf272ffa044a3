import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';
import type { Quote } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';

type Props = Pick<DraftSummary, 'title' | 'courses' | 'hours'> &
  Partial<Pick<DraftSummary, 'fellFromCents'>> & { quote: Quote };

/** What is being bought and what it costs, beside every step (P1, P2, P31). */
export function PriceSummary({ title, courses, hours, fellFromCents = null, quote }: Props) {
  const { lines, attendees, discountCents, discount, sumCents, totalCents, gstCents, nowCents } = quote;
  return (
    <section className="rounded-card border border-line bg-card p-5 sm:p-6" aria-labelledby="summary-title">
      <h2 id="summary-title" className="font-display text-2xl leading-tight font-bold">
        <Unbroken text={title ?? ''} />
      </h2>
      <ul className="mt-4 grid gap-3">
        {courses.map((course) => (
          <li key={course.title}>
            {courses.length > 1 && (
              <b className="block">
                <Unbroken text={course.title} />
              </b>
            )}
            {course.lines.map((line) => (
              <span key={line} className="block text-mute">
                {line}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <table className="tabular mt-5 w-full">
        <caption className="sr-only">Price</caption>
        <tbody>
          {lines.map(({ courseId, title: course, priceCents, quantity, later }) => (
            <tr key={courseId} className="border-b border-line align-top">
              <th scope="row" className="py-2 pr-4 text-left font-normal text-mute">
                {lines.length > 1 ? <Unbroken text={course} /> : 'Price'}
                {quantity > 1 && `, ${quantity} × ${formatMoney(priceCents)}`}
                {later && ' (invoiced later)'}
              </th>
              <td className="py-2 text-right">{formatMoney(priceCents * quantity)}</td>
            </tr>
          ))}
          {discountCents > 0 && (
            <tr className="border-b border-line align-top">
              <th scope="row" className="py-2 pr-4 text-left font-normal text-mute">
                {discount}
                <span className="block text-sm">off {formatMoney(sumCents)}, the courses’ prices today</span>
              </th>
              <td className="py-2 text-right whitespace-nowrap">−{formatMoney(discountCents)}</td>
            </tr>
          )}
          <tr className="align-baseline">
            <th scope="row" className="pt-3 pr-4 text-left">
              Total
              {attendees > 1 && <span className="font-normal text-mute"> for {attendees} people</span>}
            </th>
            <td className="pt-3 text-right font-display text-[1.75rem] leading-tight font-bold">
              {formatMoney(totalCents)}
            </td>
          </tr>
          <tr>
            <td colSpan={2} className="text-right text-sm text-mute">
              incl. GST of {formatMoney(gstCents)}
            </td>
          </tr>
        </tbody>
      </table>
      {fellFromCents !== null && (
        <p className="mt-3 font-semibold">
          The price has fallen since you started: {formatMoney(totalCents)} instead of {formatMoney(fellFromCents)}.
        </p>
      )}
      {nowCents !== totalCents && (
        <p className="mt-3 text-sm">
          Owed now: <b>{formatMoney(nowCents)}</b>. The rest is invoiced once the course has a date.
        </p>
      )}
      <p className="mt-4 border-t border-line pt-4 text-sm text-mute">
        Includes all {hours} hours and the academy’s certificate{courses.length > 1 ? ' for each course' : ''}. Exam
        fees only where the course page says so. You pay the price shown first in this visit, or today’s when that is
        lower.
      </p>
    </section>
  );
}
