import type { ReactNode } from 'react';
import { Form, href, Link, redirect } from 'react-router';
import { countAddressesInUse } from '#app/features/enrolments/buyer.server.ts';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { playerFor, proofDue } from '#app/features/people/players.server.ts';
import { readSettings } from '#app/features/people/settings.server.ts';
import { RecoveryCodes, SignInField } from '#app/features/people/sign-in-forms.tsx';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/settings';
import { LogInAgain } from './log-in-again.tsx';
import { actSettings } from './settings-acts.server.ts';

type Settings = Route.ComponentProps['loaderData'];

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-12 border-t border-line pt-8">
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  );
}

/** A form with one button. */
function Act({ act, fields = {}, children }: { act: string; fields?: Record<string, string>; children: ReactNode }) {
  return (
    <Form method="post" action={href('/account/settings')}>
      <input type="hidden" name="act" value={act} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={button.quiet}>
        {children}
      </button>
    </Form>
  );
}

const row = 'flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-4 first:border-0';

function AddressSection({
  settings: { addresses, fresh, isStaff },
  form,
}: {
  settings: Settings;
  form: FormState | undefined;
}) {
  return (
    <Section title="Email addresses">
      <p className="mb-4">
        You can log in with each of them, and see what you bought or attend with any of them. Emails about an enrolment
        go to the address you used for it. All other emails go to your main address.
      </p>
      <ul className="mb-4">
        {addresses.map(({ email, main, enrolments }) => (
          <li key={email} className={row}>
            <span className="min-w-0">
              <span className="wrap-anywhere">{email}</span>
              {main && <span className="text-mute">, main address</span>}
              {enrolments > 0 && !main && (
                <span className="block text-sm text-mute">
                  {`We write to it about ${enrolments === 1 ? 'one enrolment' : `${enrolments} enrolments`}, also after you remove it here. To change that, `}
                  <Link to={href('/contact')} className="underline underline-offset-4">
                    contact us
                  </Link>
                  .
                </span>
              )}
            </span>
            {fresh && !main && (
              <span className="flex flex-wrap gap-3">
                {!isStaff && (
                  <Act act="main-address" fields={{ email }}>
                    Make it the main one<span className="sr-only">: {email}</span>
                  </Act>
                )}
                <Act act="remove-address" fields={{ email }}>
                  Remove<span className="sr-only"> {email}</span>
                </Act>
              </span>
            )}
          </li>
        ))}
      </ul>
      {(fresh || form?.values.email) && (
        <Form method="post" action={href('/account/settings')} noValidate className="grid max-w-100 gap-4">
          <input type="hidden" name="act" value="add-address" />
          <SignInField
            form={form && { ...form, fault: null }}
            name="email"
            label="Another address"
            type="email"
            autoComplete="email"
          />
          <div>
            <button type="submit" className={button.quiet}>
              Email me a link to it
            </button>
          </div>
        </Form>
      )}
    </Section>
  );
}

function PasskeySection({ settings: { passkeys, fresh } }: { settings: Settings }) {
  return (
    <Section title="Passkeys">
      <p className="mb-4">
        With a passkey you log in by your fingerprint, your face or the PIN of your device, without an email.
      </p>
      {passkeys.length > 0 && (
        <ul className="mb-4">
          {passkeys.map(({ id, name, added, used }) => (
            <li key={id} className={row}>
              <span>
                {name}, added {added}
                {used && <span className="text-mute">, last used {used}</span>}
              </span>
              {fresh && (
                <Act act="remove-passkey" fields={{ passkey: id }}>
                  Remove<span className="sr-only"> the passkey of {name}</span>
                </Act>
              )}
            </li>
          ))}
        </ul>
      )}
      {fresh && (
        <PasskeyButton kind="add" at={href('/account/settings/passkey')} className={button.primary}>
          Add a passkey
        </PasskeyButton>
      )}
    </Section>
  );
}

function RecoverySection({ settings: { recoveryLeft, fresh } }: { settings: Settings }) {
  return (
    <Section title="Recovery codes">
      <p className="mb-4">
        Each signs you in to the staff pages once, in place of a code from your app. You have {recoveryLeft} left.
      </p>
      {fresh && <Act act="renew-codes">Make new recovery codes</Act>}
    </Section>
  );
}

function SignInsSection({ settings: { signIns } }: { settings: Settings }) {
  return (
    <Section title="Where you are logged in">
      <ul>
        {signIns.map(({ id, browser, used, own, audience }) => (
          <li key={id} className={row}>
            <span>
              {browser}
              {audience === 'staff' && ', staff pages'}
              <span className="text-mute">, {own ? 'this browser' : `last used ${used}`}</span>
            </span>
            {!own && (
              <Act act="end-sign-in" fields={{ signIn: String(id) }}>
                Log out<span className="sr-only"> {browser}</span>
              </Act>
            )}
          </li>
        ))}
      </ul>
      {signIns.some(({ own }) => !own) && (
        <div className="mt-4">
          <Act act="end-others">Log out everywhere else</Act>
        </div>
      )}
    </Section>
  );
}

function OwnDataSection() {
  const link = 'font-bold text-link underline underline-offset-4';
  return (
    <Section title="Your data">
      <p className="flex flex-wrap gap-x-6 gap-y-3">
        <Link to={href('/account/data')} className={link}>
          Download your data
        </Link>
        <Link to={href('/account/leave')} className={link}>
          Delete your account
        </Link>
      </p>
    </Section>
  );
}

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
