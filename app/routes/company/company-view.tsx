import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CompanyShown, ShownDate, ShownSeat } from './company-shown.server.ts';

export const rowLine = 'border-t border-line py-3';
export const textLink = 'font-bold text-link underline underline-offset-4';

type Props = {
  company: CompanyShown;
  /** The heading of the page; staff have their own. */
  children?: ReactNode;
  /** What waits for a manager. */
  needs?: ReactNode;
  /** The managers with the forms that change them. */
  managers: ReactNode;
  /** The file of everybody; null for staff. */
  file: string | null;
};

/** An organisation's people, dates and money, as its managers see them (P116). Staff see the same, without the forms. */
export function CompanyView({ company, children, needs, managers, file }: Props) {
  const { toCome, over, documents, offers, acts } = company;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="grid min-w-0 content-start gap-12">
        <div>
          {children}
          <Standing {...company} />
        </div>
        {needs}
        <section>
          <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <h2 className="text-3xl">To come</h2>
            {file !== null && (
              <a href={file} download className={textLink}>
                Everybody as CSV
              </a>
            )}
          </div>
          {toCome.length === 0 && <p>Nobody has a date to come.</p>}
          {toCome.map((date) => (
            <DateGroup key={date.key} date={date} />
          ))}
        </section>
        {over.length > 0 && (
          <section>
            <h2 className="mb-4 text-3xl">Over</h2>
            {over.slice(0, shownOver).map((date) => (
              <DateGroup key={date.key} date={date} />
            ))}
            {over.length > shownOver && (
              <details className="border-t border-line">
                <summary className={`${textLink} inline-flex min-h-11 cursor-pointer items-center`}>
                  {over.length - shownOver} more
                </summary>
                {over.slice(shownOver).map((date) => (
                  <DateGroup key={date.key} date={date} />
                ))}
              </details>
            )}
          </section>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-12">
        <section>
          <h2 className="mb-3 text-2xl">Invoices</h2>
          {documents.length === 0 && <p>None yet.</p>}
          <ul>{documents.slice(0, shownDocuments).map(documentRow)}</ul>
          {documents.length > shownDocuments && (
            <details className="border-t border-line">
              <summary className={`${textLink} inline-flex min-h-11 cursor-pointer items-center`}>
                All {documents.length}
              </summary>
              <ul>{documents.slice(shownDocuments).map(documentRow)}</ul>
            </details>
          )}
        </section>
        {offers.length > 0 && (
          <section>
            <h2 className="mb-3 text-2xl">Quotes</h2>
            <ul>
              {offers.map(({ id, number, title, total, state, page }) => (
                <li key={id} className={`${rowLine} flex justify-between gap-4`}>
                  <span className="min-w-0">
                    <Link to={page} className={`${textLink} whitespace-nowrap`}>
                      {number}
                    </Link>
                    <span className="block text-sm text-mute wrap-anywhere">{title}</span>
                  </span>
                  <span className="tabular shrink-0 text-right">
                    {total}
                    <span className="block text-sm text-mute">{state}</span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {managers}
        {acts.length > 0 && (
          <section>
            <h2 className="mb-3 text-2xl">Who did what</h2>
            <ul className="text-[0.9375rem]">
              {acts.map(({ id, by, did, about, at }) => (
                <li key={id} className={rowLine}>
                  <b className="wrap-anywhere">{by}</b> {did}
                  {about && <span className="wrap-anywhere">: {about}</span>}
                  <span className="tabular block text-sm text-mute">{at}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

/** The others are behind a button. */
const shownOver = 6;
const shownDocuments = 8;

/** Who the organisation is, what is agreed with it, and how its money stands. */
function Standing({ abn, agreed, toCome, owed }: CompanyShown) {
  const seats = toCome.reduce((sum, date) => sum + date.seats.length, 0);
  const facts = [
    [
      'To come',
      `${seats} ${seats === 1 ? 'seat' : 'seats'} on ${toCome.length} ${toCome.length === 1 ? 'date' : 'dates'}`,
    ],
    ['To pay', owed.open],
    ['Next due', owed.nextDue],
    ['Paid', owed.paid],
  ] as const;
  return (
    <>
      <p className="mt-3 flex flex-wrap gap-x-4 text-mute">
        {abn && <span className="tabular">ABN {abn}</span>}
        {agreed.length > 0 && <span>Agreed: {agreed.join(', ')}</span>}
      </p>
      <dl className="tabular mt-6 flex flex-wrap gap-x-10 gap-y-4">
        {owed.overdue && (
          <div>
            <dt className="text-sm text-mute">Overdue</dt>
            <dd className="text-lg font-bold text-fault">{owed.overdue}</dd>
          </div>
        )}
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt className="text-sm text-mute">{name}</dt>
                <dd className="text-lg font-bold">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  );
}

function DateGroup({ date: { title, when, where, standing, seats } }: { date: ShownDate }) {
  const named = seats.filter(({ name }) => name !== null);
  const unnamed = seats.filter(({ name }) => name === null);
  const references = [...new Set(unnamed.map(({ reference }) => reference))];
  return (
    <div className="mb-8">
      <h3 className="font-sans text-lg leading-6 font-bold wrap-anywhere">{title}</h3>
      <p className="tabular mb-2 flex flex-wrap gap-x-3 text-[0.9375rem] text-mute">
        <span>{when}</span>
        {where && <span>{where}</span>}
        {standing && <span className="font-semibold text-ink">{standing}</span>}
      </p>
      <ul>
        {named.map((seat) => (
          <SeatRow key={seat.key} seat={seat} who={seat.name ?? ''} />
        ))}
        {references.map((reference) => {
          const [first, ...others] = unnamed.filter((seat) => seat.reference === reference);
          return first && <SeatRow key={reference} seat={first} who={`${others.length + 1} not named yet`} quiet />;
        })}
      </ul>
    </div>
  );
}

function SeatRow({ seat, who, quiet = false }: { seat: ShownSeat; who: string; quiet?: boolean }) {
  const { state, certificate, reference, page } = seat;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-5 border-t border-line py-2.5 sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_6.5rem]">
      <span className={`min-w-0 wrap-anywhere ${quiet ? 'text-mute' : 'font-semibold'}`}>{who}</span>
      <span className="order-last col-span-2 text-[0.9375rem] text-mute sm:order-none sm:col-span-1">
        {quiet ? '' : state}
        {certificate && (
          <>
            {', '}
            <Link to={certificate} className={textLink} aria-label={`Certificate of ${who}`}>
              certificate
            </Link>
          </>
        )}
      </span>
      <Link
        to={page}
        className={`${textLink} tabular text-right text-[0.9375rem]`}
        aria-label={`${who}: open ${reference}`}
      >
        {reference}
      </Link>
    </li>
  );
}

const documentRow = ({ key, number, title, amount, state, unpaid, file }: CompanyShown['documents'][number]) => (
  <li key={key} className={`${rowLine} flex justify-between gap-4`}>
    <span className="min-w-0">
      <a href={file} download className={textLink}>
        {number}
      </a>
      <span className="block text-sm text-mute wrap-anywhere">{title}</span>
    </span>
    <span className="tabular shrink-0 text-right">
      {amount}
      <span className={`block text-sm ${unpaid ? 'font-semibold' : 'text-mute'}`}>{state}</span>
    </span>
  </li>
);
