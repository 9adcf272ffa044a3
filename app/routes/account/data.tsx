import { href, Link } from 'react-router';
import { playerFor, proofDue } from '#app/features/people/players.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/data';
import { LogInAgain } from './log-in-again.tsx';

export const meta = () => [{ title: 'Your data | Bowerbird Academy' }];

export function loader({ context }: Route.LoaderArgs) {
  const player = playerFor(context);
  return { due: proofDue(player) };
}

const held = [
  'your name, your email addresses, and how and when you logged in (no codes)',
  'enrolments, invoices, payments and refunds, and who attends them',
  'attendance, exercises, XP and certificates',
  'your bower, bookings, waiting lists, messages and chats',
  'the emails we sent you, for as long as we keep them',
];

/** One's own data, to take along (P58). */
export default function Data({ loaderData: { due } }: Route.ComponentProps) {
  return (
    <div className="max-w-prose">
      <h1 className="text-4xl lg:text-5xl">Your data</h1>
      <p className="mt-4">You can download everything that we hold about you:</p>
      <ul className="mt-3 grid list-disc gap-1.5 pl-5 marker:text-edge">
        {held.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="mt-4">
        Both files hold the same. JSON is for other software. CSV opens in a spreadsheet, with one line for each value.
        Keep the file to yourself: it shows what you bought and wrote.
      </p>
      {due === null ? (
        <div className="mt-6 flex flex-wrap gap-3">
          {(['json', 'csv'] as const).map((kind) => (
            <a
              key={kind}
              href={href('/account/data/:file', { file: `bowerbird-data.${kind}` })}
              className={button.primary}
            >
              Download {kind.toUpperCase()}
            </a>
          ))}
        </div>
      ) : (
        <div className="mt-6">
          <LogInAgain due={due} to={href('/account/data')}>
            download it
          </LogInAgain>
        </div>
      )}
      <h2 className="mt-12 border-t border-line pt-8 text-2xl">Leave</h2>
      <p className="mt-3">
        You can delete your account.{' '}
        <Link to={href('/account/leave')} className="font-bold text-link underline underline-offset-4">
          See what goes and what stays
        </Link>
      </p>
    </div>
  );
}
