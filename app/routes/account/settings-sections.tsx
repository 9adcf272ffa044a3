import type { ReactNode } from 'react';
import { Form, href, Link } from 'react-router';
import { PasskeyButton } from '#app/features/people/passkey-button.tsx';
import { SignInField } from '#app/features/people/sign-in-forms.tsx';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import type { Route } from './+types/settings';

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

export function AddressSection({
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

export function PasskeySection({ settings: { passkeys, fresh } }: { settings: Settings }) {
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

export function RecoverySection({ settings: { recoveryLeft, fresh } }: { settings: Settings }) {
  return (
    <Section title="Recovery codes">
      <p className="mb-4">
        Each signs you in to the staff pages once, in place of a code from your app. You have {recoveryLeft} left.
      </p>
      {fresh && <Act act="renew-codes">Make new recovery codes</Act>}
    </Section>
  );
}

export function SignInsSection({ settings: { signIns } }: { settings: Settings }) {
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

export function OwnDataSection() {
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
