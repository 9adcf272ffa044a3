import { href, Link } from 'react-router';
import { formatMoney } from '#app/lib/money.ts';
import { LabelledRow } from '#app/ui/labelled-row.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Offer } from './offers.ts';

type Props = {
  chosen: Offer | undefined;
  attendees: number;
  /** The training sessions to come of the chosen course. */
  dates: Offer[];
  /** Chooses one of them in the form that is open; without scripts its link opens the form anew. */
  onChoose: (item: string) => void;
};

/** What is being asked for, in full: what, when, where, how many seats are left, and the price with GST (P1, P2). */
export function OfferSummary({ chosen, attendees, dates, onChoose }: Props) {
  if (!chosen) {
    return (
      <section className="rounded-card border border-dashed border-edge p-5 sm:p-6">
        <h2 className="text-xl">Nothing chosen yet</h2>
        <p className="mt-2 text-mute">Choose in the form, and what you get and what it costs stand here.</p>
      </section>
    );
  }
  const { title, date, courses, hours, priceCents } = chosen;
  return (
    <section aria-live="polite" className="rounded-card border border-line bg-card p-5 sm:p-6">
      <h2 className="text-sm font-bold text-mute">You are asking for a place on</h2>
      <p className="mt-1 font-display text-2xl leading-tight font-bold">
        <Unbroken text={title} />
      </p>
      {courses && (
        <ul className="mt-3 grid list-disc gap-1 pl-5 marker:text-edge">
          {courses.map((course) => (
            <li key={course}>
              <Unbroken text={course} />
            </li>
          ))}
        </ul>
      )}
      <dl className="tabular mt-4 grid gap-2">
        {date && (
          <>
            <LabelledRow label="Date">{date.days}</LabelledRow>
            <LabelledRow label="Place">{date.place}</LabelledRow>
            <LabelledRow label="Times">{date.times}</LabelledRow>
            <LabelledRow label="Seats left">{String(date.seats)}</LabelledRow>
          </>
        )}
        {!date && <LabelledRow label={courses ? 'Dates' : 'Date'}>Agreed with staff</LabelledRow>}
        <LabelledRow label="Hours">{hours}</LabelledRow>
      </dl>
      <p className="tabular mt-4">
        <span className="font-display text-[2rem] leading-tight font-bold">{formatMoney(priceCents)}</span>{' '}
        <span className="text-mute">per person, incl.{'\u00a0'}GST</span>
        {attendees > 1 && (
          <span className="mt-1 block">
            {attendees} people: <b>{formatMoney(priceCents * attendees)}</b> incl. GST
          </span>
        )}
      </p>
      {date && attendees > date.seats && (
        <p className="mt-3 font-semibold text-fault">
          More people than seats left on this date. Ask all the same: staff say who can come, or offer another date.
        </p>
      )}
      {dates.length > 0 && (
        <div className="mt-4 border-t border-line pt-4">
          <p className="font-bold">This course has {dates.length === 1 ? 'a date' : 'dates'} you can choose:</p>
          <ul className="mt-1">
            {dates.map((offer) => (
              <li key={offer.item}>
                <Link
                  to={`${href('/enrol')}?session=${offer.item.replace('session:', '')}`}
                  preventScrollReset
                  onClick={(event) => {
                    event.preventDefault();
                    onChoose(offer.item);
                  }}
                  className="inline-block py-1.5 font-bold text-link underline underline-offset-4"
                >
                  {offer.date?.days}, {offer.date?.place}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <noscript>
        <p className="mt-3 text-sm text-mute">
          Choosing something else in the form changes this only once you have sent it.
        </p>
      </noscript>
    </section>
  );
}
