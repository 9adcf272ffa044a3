import { Link } from 'react-router';
import type { TroubledLine } from '#app/features/companies/offer-page.server.ts';
import { button } from '#app/ui/button.ts';

type Props = { state: string; ended: string | null; lastDay: string; newer: string | null; again: string };

/** What became of a quote that is no longer open, and where to go on (P111); nothing while it is open. */
export function OfferNotice({ state, ended, lastDay, newer, again }: Props) {
  const text = texts(state, ended, lastDay);
  if (text === null && newer === null) return null;
  return (
    <div
      role="status"
      className="no-print mb-6 grid justify-items-start gap-3 rounded-card border-2 border-edge bg-card p-5"
    >
      <p className="max-w-prose">
        <b>{newer === null ? text?.title : 'There is a newer version of this quote.'}</b> {text?.lead}
      </p>
      {newer !== null ? (
        <Link to={newer} className={button.primary}>
          Open the newer version
        </Link>
      ) : (
        state !== 'accepted' && (
          <Link to={again} className={button.primary}>
            Make a new quote
          </Link>
        )
      )}
    </div>
  );
}

function texts(state: string, ended: string | null, lastDay: string): { title: string; lead: string } | null {
  switch (state) {
    case 'accepted':
      return {
        title: 'This quote was accepted.',
        lead: `It was accepted on ${ended}, Brisbane time. The email to the person who accepted has the link to the enrolment.`,
      };
    case 'declined':
      return { title: 'This quote was declined.', lead: `It was declined on ${ended}, Brisbane time.` };
    case 'over':
      return { title: 'This quote is over.', lead: `Its last day was ${lastDay}, so you can no longer accept it.` };
    case 'replaced':
      return { title: 'This quote was replaced.', lead: 'You can no longer accept this version.' };
    default:
      return null;
  }
}

/** Why a quote cannot be accepted as it is, before anything is typed, and the nearest dates (P111). */
export function Troubles({ lines, people, again }: { lines: readonly TroubledLine[]; people: number; again: string }) {
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="trouble-title" className="mb-6 rounded-card border-2 border-edge bg-card p-5 sm:p-6">
      <h2 id="trouble-title" className="text-xl">
        You cannot accept this quote as it is
      </h2>
      {lines.map((line) => (
        <div key={line.title} className="mt-2">
          <p className="max-w-prose">{sentence(line, people)}</p>
          {line.nearest.length > 0 && (
            <ul className="tabular mt-3 grid gap-1">
              {line.nearest.map(({ days, place, seats, quote }) => (
                <li key={quote}>
                  <Link to={quote} className="inline-block py-1 font-bold text-link underline underline-offset-4">
                    {days}
                  </Link>
                  <span className="text-mute">
                    , {place}, {seats} {seats === 1 ? 'seat' : 'seats'} left
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      <p className="mt-4">
        <Link to={again} className={button.primary}>
          Make a new quote
        </Link>
      </p>
    </section>
  );
}

function sentence({ title, trouble, left, nearest }: TroubledLine, people: number): string {
  const instead =
    nearest.length > 0 ? ' These dates are the nearest:' : ' There is no other date with enough seats now.';
  switch (trouble) {
    case 'cancelled':
      return `The date of ${title} was cancelled.${instead}`;
    case 'closed':
      return `${title} can no longer be booked as the quote has it.${instead}`;
    case 'changed':
      return `The date of ${title} has other days, hours or another place than when the quote was made. Make a new quote for it.`;
    case 'full':
      return `The date of ${title} has ${left === 0 ? 'no seat' : left === 1 ? 'one seat' : `${left} seats`} left, and the quote is for ${people}. The seats are no longer held.${instead}`;
  }
}
