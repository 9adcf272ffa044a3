import { Form, Link, useNavigation } from 'react-router';
import { button } from '#app/ui/button.ts';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { More } from '#app/ui/more.tsx';
import { CertificateSheet, TreasureHollow } from './certificate-sheet.tsx';
import type { OwnView } from './queries.server.ts';

type Props = {
  view: OwnView;
  form: FormState;
  /** A sentence about the change just made; null when the page is opened. */
  done: string | null;
  /** The links of the page: back, to the public page, to the PDF, and to the badge or the reason why there is none. */
  to: { back: { to: string; text: string }; publicPage: string; pdf: string; badge: { to: string } | { why: string } };
};

/** The holder's page of a certificate: the sheet with PDF, LinkedIn and badge, then what strangers see, name, withdrawing (P65). */
export function OwnCertificate({ view, form, done, to }: Props) {
  const { title, shownNumber, issued, state, sheet, hollow, linkedIn } = view;
  return (
    <div className="page grid grid-cols-[minmax(0,47.5rem)] gap-y-8 pt-6 pb-14 lg:pt-10 lg:pb-22">
      <div>
        <p>
          <Link to={to.back.to} className={textLink}>
            {to.back.text}
          </Link>
        </p>
        <h1 className="mt-2 text-[2.375rem] leading-[1.1] text-balance wrap-anywhere lg:text-5xl">{title}</h1>
        <p className="tabular mt-4 text-mute">
          Certificate {shownNumber}, issued {issued}.{' '}
          <a href={to.publicPage} className={textLink}>
            Its public page
          </a>
        </p>
      </div>
      {done && (
        <p role="status" className="rounded-control border-2 border-action p-4 font-bold">
          {done}
        </p>
      )}
      <ErrorSummary form={form} labels={labels} formId={`${form.values.act ?? 'show'}-form`} />
      <section aria-label="The certificate">
        {sheet ? <CertificateSheet {...sheet} /> : <TreasureHollow paths={hollow} />}
        {sheet && (
          <>
            <p className="no-print mt-5 flex flex-wrap gap-3">
              <a href={to.pdf} className={button.primary}>
                PDF to print
              </a>
              {state === 'issued' && (
                <a href={linkedIn.link} target="_blank" rel="noopener noreferrer" className={button.quiet}>
                  Add to LinkedIn
                </a>
              )}
              {'to' in to.badge && (
                <a href={to.badge.to} className={button.quiet}>
                  Open Badge
                </a>
              )}
            </p>
            <p className="mt-4 text-sm text-mute">
              The PDF is A4.{' '}
              {'to' in to.badge ? 'The badge is a file that any Open Badges 3.0 verifier can check.' : to.badge.why}
            </p>
          </>
        )}
      </section>
      {state === 'issued' ? <Holding view={view} form={form} /> : <Ended view={view} />}
      {sheet && <Withdraw form={form} />}
    </div>
  );
}

const labels = { shows: 'What strangers see', name: 'Name', sure: 'Withdraw' };
const textLink = 'font-bold text-link underline underline-offset-4';

function Holding({ view, form }: Pick<Props, 'view' | 'form'>) {
  const { title, name, shows, employer, linkedIn, asked, refused } = view;
  const choices = [
    { value: 'valid', label: 'Valid, without a name', says: `“Valid: its holder finished ${title}.”` },
    { value: 'name', label: 'Valid, with my name', says: `“Valid: ${name} finished ${title}.”` },
  ];
  return (
    <>
      <Form id="show-form" method="post" preventScrollReset>
        <input type="hidden" name="act" value="show" />
        <fieldset>
          <legend className="pb-2 font-display text-[1.625rem] font-bold">What strangers see</legend>
          {choices.map(({ value, label, says }) => (
            <label key={value} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3 border-t border-line py-3.5">
              <input
                type="radio"
                name="shows"
                value={value}
                defaultChecked={shows === value}
                className="mt-0.5 size-5 accent-action"
              />
              <span className="min-w-0">
                <b>{label}</b>
                <span className="block text-sm text-mute wrap-anywhere">{says}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Send>Save</Send>
      </Form>
      {employer && (
        <Form id="employer-form" method="post" preventScrollReset>
          <input type="hidden" name="act" value="employer" />
          <input type="hidden" name="sees" value={employer.sees ? 'no' : 'yes'} />
          <h2 className="mb-3 text-[1.625rem]">{employer.name}</h2>
          <p className="mb-4">
            {employer.sees
              ? `${employer.name} bought your place and sees this certificate.`
              : `${employer.name} bought your place. It sees that you finished, not your certificate.`}
          </p>
          <Send>{employer.sees ? 'Stop showing it' : `Show it to ${employer.name}`}</Send>
        </Form>
      )}
      <More label="For LinkedIn by hand" className="">
        <p>The link above fills in LinkedIn’s form. If it does not open, copy these.</p>
        <dl className="tabular mt-3">
          {linkedIn.fields.map(([field, value]) => (
            <div key={field} className="grid items-center gap-x-10 py-2 sm:grid-cols-[10.5rem_minmax(0,1fr)]">
              <dt className="text-mute">{field}</dt>
              <dd className="flex min-w-0 flex-wrap items-center gap-x-4 wrap-anywhere">
                <span className="min-w-0">{value}</span>
                <CopyButton value={value} what={field} />
              </dd>
            </div>
          ))}
        </dl>
      </More>
      <section>
        <h2 className="mb-3 text-[1.625rem]">Name</h2>
        <p className="max-w-[40em]">
          It reads <b className="wrap-anywhere">{name}</b>. We change two letters, capitals and accents at once. For
          more we have a look first.
        </p>
        {asked ? (
          <p className="mt-3 max-w-[40em]">
            You asked for <b className="wrap-anywhere">{asked}</b>. We will look at it and answer by email or phone.
          </p>
        ) : (
          <details className="mt-3" open={form.values.act === 'name'}>
            <summary className="inline-flex min-h-11 cursor-pointer items-center font-bold text-link underline underline-offset-4">
              Correct my name
            </summary>
            {refused && <p className="mt-2">We did not take the last name you asked for. Please call us about it.</p>}
            <Form id="name-form" method="post" preventScrollReset className="mt-3 grid max-w-md gap-4">
              <input type="hidden" name="act" value="name" />
              <TextField
                form={form}
                name="name"
                label="Name as it should read"
                required
                maxLength={80}
                autoComplete="name"
                hint="The certificate gets a new number. The old number then says that it was issued again."
              />
              <Send>Change the name</Send>
            </Form>
          </details>
        )}
      </section>
    </>
  );
}

function Ended({ view: { state, ended, reason } }: Pick<Props, 'view'>) {
  return (
    <p className="max-w-[40em] text-lg">
      {state === 'revoked'
        ? `We revoked this certificate on ${ended}. Reason: ${reason}. If you think this is wrong, call or email us.`
        : `You withdrew this certificate on ${ended}. Its number says so. If you want a certificate again, call or email us.`}
    </p>
  );
}

function Withdraw({ form }: Pick<Props, 'form'>) {
  return (
    <details open={form.values.act === 'withdraw'}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-bold text-link underline underline-offset-4">
        Withdraw this certificate
      </summary>
      <Form id="withdraw-form" method="post" preventScrollReset className="mt-3 grid gap-4">
        <input type="hidden" name="act" value="withdraw" />
        <p>
          Its public page will say that you withdrew it, and since when. You cannot take this back yourself. What you
          learned stays in your progress.
        </p>
        <label className="flex min-h-11 items-center gap-3">
          <input id="sure" type="checkbox" name="sure" className="size-5 shrink-0 accent-action" />
          <span>I want to withdraw it</span>
        </label>
        <Send>Withdraw it</Send>
      </Form>
    </details>
  );
}

function Send({ children }: { children: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <div>
      <button type="submit" disabled={sending} className={button.primary}>
        {children}
      </button>
    </div>
  );
}
