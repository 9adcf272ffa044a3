import { Form, href, Link } from 'react-router';
import { playerFor } from '#app/features/people/players.server.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/data';

export const meta = () => [{ title: 'Your data | Bowerbird Academy' }];

export function loader({ context }: Route.LoaderArgs) {
  const { fresh } = playerFor(context);
  return { fresh };
}

const held = [
  'your name, your email addresses, and how and when you logged in (no passwords and no codes)',
  'enrolments, invoices, payments and refunds, and who attends them',
  'attendance, exercises, XP and certificates',
  'wishes, your bower, bookings, waiting lists, messages and chats',
  'the emails we sent you, for as long as we keep them',
];

/** One's own data, to take along (P58). */
export default function Data({ loaderData: { fresh } }: Route.ComponentProps) {
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
      {fresh ? (
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
        <Form method="get" action={href('/login')} reloadDocument className="mt-6">
          <p className="mb-4">Please log in again before you download it. After that you have ten minutes.</p>
          <input type="hidden" name="again" value="" />
          <input type="hidden" name="to" value={href('/account/data')} />
          <button type="submit" className={button.primary}>
            Log in again
          </button>
        </Form>
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
