import { data, Form, href, redirect } from 'react-router';
import { goingOnFor } from '#app/features/enrolments/ended-enrolments.server.ts';
import {
  closeAccount,
  keepAccount,
  lastDay,
  type MayNotLeave,
  mayNotLeave,
} from '#app/features/people/leaving.server.ts';
import { freshPlayerFor, playerFor, proofDue } from '#app/features/people/players.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { SignInButton, SignInField } from '#app/features/people/sign-in-forms.tsx';
import { noSignInCookies } from '#app/features/people/sign-ins.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { actOr503, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { blankForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { button } from '#app/ui/button.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/leave';
import { LogInAgain } from './log-in-again.tsx';

export const meta = () => [{ title: 'Delete your account | Bowerbird Academy' }];

/** The word to type as confirmation. */
const word = 'DELETE';

export async function loader({ context }: Route.LoaderArgs) {
  const player = playerFor(context);
  const { person, closing } = player;
  const { now, today } = momentOf(context.get(academyContext));
  const { db } = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const running = await goingOnFor(db, person.id, today)
      .select(['reference', 'title'])
      .orderBy('id', 'desc')
      .limit(60)
      .execute();
    return {
      due: proofDue(player),
      closing: closing && { day: lastDay(closing), over: closing <= now },
      refused: await mayNotLeave(db, person.id),
      running,
    };
  });
}

export async function action({ context, request }: Route.ActionArgs) {
  const { person } = playerFor(context);
  const { act = '', word: typed = '' } = textsOf(await readForm(request));
  const services = context.get(signInContext);
  if (act === 'keep') {
    await actOr503(keepUnconfirmed, () => services.db.transaction().execute((trx) => keepAccount(trx, person.id)));
    throw redirect(href('/account'), 303);
  }
  const player = freshPlayerFor(context, href('/account/leave'));
  const refuse = (status: number, fault: string) =>
    data(
      { form: { ...blankForm('Nothing was changed'), values: { word: typed }, errors: { word: fault } } },
      { status },
    );
  if (act !== 'leave')
    return refuse(400, 'Part of the form was missing, so nothing was changed. Please send it again.');
  if (typed.trim().toUpperCase() !== word) return refuse(400, `Type ${word} to delete your account.`);
  const closed = await actOr503(closeUnconfirmed, () => closeAccount({ services, player, headers: request.headers }));
  if (!closed.ok && closed.reason !== 'closed') return refuse(409, refusals[closed.reason]);
  const cookies = noSignInCookies('player', services.cookies);
  const headers = cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  throw redirect(href('/login/left'), { status: 303, headers });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

const keepUnconfirmed = unconfirmedText(
  'that you keep your account',
  'Please open this page again in a few minutes: it shows whether the account is still closed. Doing it twice does no harm.',
);
const closeUnconfirmed = unconfirmedText(
  'that your account is closed',
  'If it is, we have emailed you. Please open this page again in a few minutes: if it asks you to log in, the account is closed. Doing it twice does no harm.',
);

const refusals: Record<MayNotLeave, string> = {
  staff: 'You are staff. Ask an owner of the academy to take your roles away first. Then you can delete your account.',
  'last-owner':
    'You are the only owner of the academy. Make somebody else an owner first, and have them take your roles away. Then you can delete your account.',
};

export default function Leave({ loaderData, actionData }: Route.ComponentProps) {
  const { closing, refused, due, running } = loaderData;
  if (closing) return <Closing {...closing} />;
  return (
    <div className="max-w-prose">
      <h1 className="text-4xl lg:text-5xl">Delete your account</h1>
      <LeavingTerms running={running} />
      <section className="mt-10 border-t border-line pt-8">
        {refused ? (
          <p role="alert">{refusals[refused]}</p>
        ) : due === null ? (
          <Form method="post" action={href('/account/leave')} className="grid gap-5">
            <input type="hidden" name="act" value="leave" />
            <SignInField
              form={actionData?.form}
              name="word"
              label={`Type ${word} to go on`}
              autoComplete="off"
              autoCapitalize="characters"
            />
            <SignInButton>Delete my account</SignInButton>
          </Form>
        ) : (
          <LogInAgain due={due} to={href('/account/leave')}>
            delete it
          </LogInAgain>
        )}
      </section>
    </div>
  );
}

/** For a player who logs in while their account waits to be deleted. */
function Closing({ day, over }: { day: string; over: boolean }) {
  return (
    <div className="max-w-prose">
      <h1 className="text-4xl lg:text-5xl">Your account is closed</h1>
      <p className="mt-4">{over ? 'We are deleting it now.' : `We delete it on ${day}. Until then you can keep it.`}</p>
      <Form method="post" action={href('/account/leave')} className="mt-6">
        <button type="submit" name="act" value="keep" className={button.primary}>
          Keep my account
        </button>
      </Form>
    </div>
  );
}

const goes = [
  'your logins and passkeys, on every browser',
  'your name and email addresses',
  'your bower',
  'what you wrote in exercises, messages and chats',
  'bookings and places on waiting lists: they are cancelled',
  'copies of the emails we sent you',
];

const stays = [
  'Invoices, adjustment notes and payments stay for seven years, because the law says so. They keep the name of the buyer.',
  'The number of a certificate goes on saying whether we issued it and whether it holds. It no longer shows your name.',
  'Days attended and points stay without your name.',
  'If you do not want our news, we remember that for your address, in a form that nobody can read, so that we never send you any.',
];

/**
 * The records that are deleted with an account and those that stay (P58). `running` are the enrolments that are not
 * over, and the bought ones on which money is or may still be owed.
 */
function LeavingTerms({ running }: { running: readonly { reference: string; title: string }[] }) {
  return (
    <>
      <p className="mt-4">
        We close your account at once and log out every browser. We email all of its addresses. After seven days we
        delete it. Until then you can log in, or use the link in the email, and keep it.
      </p>
      <h2 className="mt-8 text-2xl">What goes</h2>
      <List lines={goes} />
      <h2 className="mt-8 text-2xl">What stays</h2>
      <List lines={stays} />
      {running.length > 0 && (
        <>
          <h2 className="mt-8 text-2xl">Your enrolments go on</h2>
          <p className="mt-3">
            These are not over, or money is owed, or we may still owe you money. You keep your places, you still owe
            what is not paid, and we still owe you what we have to refund. The links in our emails go on working. Your
            name and address stay with them until they are over and nothing is owed, and until a seat that you cancelled
            can no longer be sold again. Then we delete those too. If money stays owed, we keep them for seven years. To
            give a place up, cancel it first.
          </p>
          <List lines={running.map(({ reference, title }) => `${title}, ${reference}`)} />
        </>
      )}
    </>
  );
}

const List = ({ lines }: { lines: readonly string[] }) => (
  <ul className="mt-3 grid list-disc gap-1.5 pl-5 marker:text-edge">
    {lines.map((line) => (
      <li key={line} className="wrap-anywhere">
        {line}
      </li>
    ))}
  </ul>
);
