import { href } from 'react-router';
import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';
import type { Quote } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';

/** When the price has to be paid: a day in words, or that a date is confirmed first (P39). */
export type Due = { by: string /** The day without weekday and year. */; short: string; undecided: boolean };

type Props = Pick<DraftSummary, 'title' | 'courses'> &
  Partial<Pick<DraftSummary, 'fellFromCents' | 'picture' | 'agreementFirst'>> & {
    quote: Quote;
    due: Due | null;
    /** Of its heading. */
    id: string;
  };

/** The choice and its price, beside every step (P1, P2, P31). */
export function PriceSummary({ title, courses, fellFromCents = null, quote, due, id, picture, agreementFirst }: Props) {
  return (
    <section className="px-5 pt-5 lg:px-6 lg:pb-4" aria-labelledby={id}>
      {picture && (
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${picture}.svg` })}
          alt=""
          width={416}
          height={112}
          loading="lazy"
          className="-mx-6 -mt-5 mb-5 h-28 w-[calc(100%+3rem)] max-w-none object-cover max-lg:hidden [@media(max-height:50rem)]:hidden"
        />
      )}
      <h2 id={id} className="text-xl">
        <Unbroken text={title ?? ''} />
      </h2>
      <ul className="mt-2 grid gap-2 text-[0.9375rem]">
        {courses
          .filter(({ lines }) => lines.length > 0)
          .map((course) => (
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
      <PriceTable quote={quote} due={due} fellFromCents={fellFromCents} agreementFirst={agreementFirst} />
    </section>
  );
}

type TableProps = Pick<Props, 'quote' | 'due' | 'fellFromCents' | 'agreementFirst'> & {
  /** Several courses in one line: the page names them beside it. */
  short?: boolean;
};

/** The sum in its parts, and what of it is due when. */
export function PriceTable({ quote, due, fellFromCents = null, agreementFirst, short = false }: TableProps) {
  const { lines, attendees, discountCents, discount, sumCents, totalCents, gstCents, nowCents } = quote;
  return (
    <>
      <table className="tabular mt-4 w-full">
        <caption className="sr-only">Price</caption>
        <tbody>
          {short && lines.length > 1 ? (
            <tr>
              <th scope="row" className="py-1 pr-4 text-left font-normal text-mute">
                {lines.length} courses, their prices today
              </th>
              <td className="py-1 text-right">{formatMoney(sumCents)}</td>
            </tr>
          ) : (
            lines.map(({ courseId, title: course, priceCents, quantity, later }) => (
              <tr key={courseId} className="align-top">
                <th scope="row" className="py-1 pr-4 text-left font-normal text-mute">
                  {lines.length > 1 ? <Unbroken text={course} /> : 'Price'}
                  {quantity > 1 && `, ${quantity} × ${formatMoney(priceCents)}`}
                  {later && ' (invoiced later)'}
                </th>
                <td className="py-1 text-right">{formatMoney(priceCents * quantity)}</td>
              </tr>
            ))
          )}
          {discountCents > 0 && (
            <tr className="align-top">
              <th scope="row" className="py-1 pr-4 text-left font-normal text-mute">
                {discount}
                {!short && (
                  <span className="block text-sm">off {formatMoney(sumCents)}, the courses’ prices today</span>
                )}
              </th>
              <td className="py-1 text-right whitespace-nowrap">−{formatMoney(discountCents)}</td>
            </tr>
          )}
          <tr>
            <th scope="row" className="py-1 pr-4 text-left font-normal text-mute">
              GST included
            </th>
            <td className="py-1 text-right">{formatMoney(gstCents)}</td>
          </tr>
          <tr className="border-t border-line align-baseline">
            <th scope="row" className="pt-3 pr-4 text-left">
              Total
              {attendees > 1 && <span className="font-normal text-mute"> for {attendees} people</span>}
            </th>
            <td className="pt-3 text-right font-display text-[1.75rem] leading-tight font-bold">
              {formatMoney(totalCents)}
            </td>
          </tr>
          <tr>
            <th scope="row" className="py-1 pr-4 text-left font-normal text-mute">
              To pay today
            </th>
            <td className="py-1 text-right font-bold">AU$0</td>
          </tr>
          {due && nowCents > 0 && (
            <tr className="align-top">
              <th scope="row" className="py-1 pr-4 text-left font-normal text-mute">
                {due.undecided ? `Once confirmed, not before ${due.by}` : `By ${due.by}`}
              </th>
              <td className="py-1 text-right font-bold">{formatMoney(nowCents)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {fellFromCents !== null && (
        <p className="mt-3 font-semibold">
          The price has fallen since you started: {formatMoney(totalCents)} instead of {formatMoney(fellFromCents)}.
        </p>
      )}
      {agreementFirst && <p className="mt-3 text-sm">You owe nothing before you have accepted the agreement.</p>}
      {nowCents !== totalCents && !agreementFirst && (
        <p className="mt-3 text-sm">
          Owed now: <b>{formatMoney(nowCents)}</b>. We invoice the rest once the course has a date.
        </p>
      )}
    </>
  );
}

/** The notes on the price, under the button (P1, P28). */
export function Included({ hours, courses }: Pick<DraftSummary, 'hours' | 'courses'>) {
  return (
    <>
      Includes all {hours} hours and the academy’s certificate{courses.length > 1 ? ' for each course' : ''}. Exam fees
      only where the course page says so. You pay the price shown first in this visit, or today’s when that is lower.
    </>
  );
}
