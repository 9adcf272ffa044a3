import type { ReactNode } from 'react';
import { href } from 'react-router';
import type { DraftSummary } from '#app/features/enrolments/enrolling/draft-summary.ts';
import type { ChoicePrice } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';

/** The day by which the price has to be paid, in words, or that a date is confirmed first (P39). */
export type Due = { by: string /** The day without weekday and year. */; short: string; undecided: boolean };

type Props = Pick<DraftSummary, 'title' | 'courses'> &
  Partial<Pick<DraftSummary, 'fellFromCents' | 'picture' | 'agreementFirst'>> & {
    quote: ChoicePrice;
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

/** The sum in its parts, and the days on which they are due. */
export function PriceTable({ quote, due, fellFromCents = null, agreementFirst, short = false }: TableProps) {
  const { lines, attendees, discountCents, discount, sumCents, totalCents, gstCents, nowCents } = quote;
  return (
    <>
      <dl className="tabular mt-4">
        {short && lines.length > 1 ? (
          <Row name={`${lines.length} courses, their prices today`} amount={formatMoney(sumCents)} />
        ) : (
          lines.map(({ courseId, title: course, priceCents, quantity, later }) => (
            <Row
              key={courseId}
              name={
                <>
                  {lines.length > 1 ? <Unbroken text={course} /> : 'Price'}
                  {quantity > 1 && `, ${quantity} × ${formatMoney(priceCents)}`}
                  {later && ' (invoiced later)'}
                </>
              }
              amount={formatMoney(priceCents * quantity)}
            />
          ))
        )}
        {discountCents > 0 && (
          <Row
            name={
              <>
                {discount}
                {!short && (
                  <span className="block text-sm">off {formatMoney(sumCents)}, the courses’ prices today</span>
                )}
              </>
            }
            amount={`−${formatMoney(discountCents)}`}
          />
        )}
        <Row name="GST included" amount={formatMoney(gstCents)} />
        <div className={`${row} mt-1 items-baseline border-t border-line pt-3`}>
          <dt className="font-bold">
            Total
            {attendees > 1 && <span className="font-normal text-mute"> for {attendees} people</span>}
          </dt>
          <dd className="grow text-right font-display text-[1.75rem] leading-tight font-bold">
            {formatMoney(totalCents)}
          </dd>
        </div>
        <Row name="To pay today" amount="AU$0" look="font-bold" />
        {due && nowCents > 0 && (
          <Row
            name={due.undecided ? `Once confirmed, not before ${due.by}` : `By ${due.by}`}
            amount={formatMoney(nowCents)}
            look="font-bold"
          />
        )}
      </dl>
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

const row = 'flex flex-wrap justify-between gap-x-4 py-1';

/** An amount beside its name, or below it where the text is large. */
function Row({ name, amount, look = '' }: { name: ReactNode; amount: string; look?: string }) {
  return (
    <div className={row}>
      <dt className="min-w-0 flex-1 basis-28 text-mute">{name}</dt>
      <dd className={`text-right whitespace-nowrap ${look}`}>{amount}</dd>
    </div>
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
