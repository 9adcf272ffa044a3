import { href, Link, redirect } from 'react-router';
import { countAddressesInUse } from '#app/features/enrolments/buyer.server.ts';
import { playerFor, proofDue } from '#app/features/people/players.server.ts';
import { readSettings } from '#app/features/people/settings.server.ts';
import { RecoveryCodes } from '#app/features/people/sign-in-forms.tsx';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { button } from '#app/ui/button.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/settings';
import { LogInAgain } from './log-in-again.tsx';
import { actSettings } from './settings-acts.server.ts';
import {
  AddressSection,
  OwnDataSection,
  PasskeySection,
  RecoverySection,
  SignInsSection,
} from './settings-sections.tsx';

export const meta = () => [{ title: 'Settings | Bowerbird Academy' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const player = playerFor(context);
  const { person, isStaff, fresh } = player;
  const { db, clock } = context.get(academyContext);
  const { addresses, ...settings } = await unlessDatabaseAway(() => readSettings(db, player));
  const inUse = await unlessDatabaseAway(() => countAddressesInUse(db, person.id, academyToday(clock)));
  const day = (date: Date) => formatDay(academyDay(date));
  return {
    ...settings,
    addresses: addresses.map((one) => ({ ...one, enrolments: inUse.get(one.email) ?? 0 })),
    passkeys: settings.passkeys.map(({ usedAt, addedAt, ...key }) => ({
      ...key,
      added: formatMoment(addedAt),
      used: usedAt && day(usedAt),
    })),
    signIns: settings.signIns.map(({ usedAt, ...one }) => ({ ...one, used: day(usedAt) })),
    email: person.email,
    isStaff,
    fresh,
    due: proofDue(player),
    saved: url.searchParams.has('saved'),
    asked: url.searchParams.has('asked'),
    ended: url.searchParams.get('ended'),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const player = playerFor(context);
  const result = await actSettings(player, { context, request });
  if (!result.ok) return result.answer;
  if (result.recoveryCodes) return { recoveryCodes: result.recoveryCodes };
  throw redirect(result.to, 303);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && 'recoveryCodes' in actionData) {
    return (
      <div className="max-w-prose">
        <h1 className="mb-6 text-4xl">Your recovery codes</h1>
        <RecoveryCodes codes={actionData.recoveryCodes} />
        <Link to={href('/account/settings')} className={button.primary}>
          I have saved them
        </Link>
      </div>
    );
  }
  const { due, saved, asked, ended, email, passkeys } = loaderData;
  const form = actionData?.form;
  return (
    <div className="max-w-3xl">
      <h1 className="text-4xl lg:text-5xl">Settings</h1>
      <p className="mt-4">
        You log in as <strong className="wrap-anywhere">{email}</strong>, by a link or code that we email you
        {passkeys.length > 0 && ' or by a passkey'}.
      </p>
      {saved && (
        <p role="status" className="mt-6 rounded-card border border-line bg-card p-4">
          Saved. We email you about this change, and logged out your other browsers.
        </p>
      )}
      {asked && (
        <p role="status" className="mt-6 rounded-card border border-line bg-card p-4">
          We email a link to the new address. Open it in this browser.
        </p>
      )}
      {ended && (
        <p role="status" className="mt-6 rounded-card border border-line bg-card p-4">
          {ended === 'others' ? 'Every other browser is logged out.' : 'That browser is logged out.'}
        </p>
      )}
      {form?.fault && (
        <p role="alert" className="mt-6 rounded-card border-2 border-fault bg-card p-4 font-semibold">
          {form.fault}
        </p>
      )}
      {due && (
        <div className="mt-6 rounded-card border border-line bg-card p-5">
          <LogInAgain due={due} to={href('/account/settings')}>
            change how you log in
          </LogInAgain>
        </div>
      )}
      <AddressSection settings={loaderData} form={form} />
      <PasskeySection settings={loaderData} />
      {loaderData.isStaff && <RecoverySection settings={loaderData} />}
      <SignInsSection settings={loaderData} />
      <OwnDataSection />
    </div>
  );
}
