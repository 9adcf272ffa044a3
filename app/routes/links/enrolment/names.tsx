import { Form, useNavigation } from 'react-router';
import { claimPath, openClaims } from '#app/features/companies/claim-seat.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { field } from '#app/ui/field.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/names';
import { ActPage, Away, Confirm, noFault } from './frame.tsx';
import { nameAllForBuyer } from './people-acts.server.ts';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';

export function loader({ context, params: { token } }: Route.LoaderArgs) {
  const { forms, academy } = context.get(academyContext);
  return loadForBuyer(context, token, async (trx, { id, reference, places }) => {
    const unnamed = places.filter(({ state, attendee }) => state === 'active' && attendee.name === null);
    return {
      attendees: [...new Set(unnamed.map(({ attendee }) => attendee.id))],
      claimLink: academy().url + claimPath(forms.secret, reference),
      claims: await openClaims(trx, id),
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, nameAllForBuyer);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Who attends', 'Name everybody who attends and has no name yet.', noPage);

const formId = 'names-form';
const listLabel = 'List of people';

/** One form for all attendees without a name. */
export default function Names({ loaderData, actionData, params: { token } }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData && !actionData) return <Away />;
  const form = actionData?.form ?? noFault;
  // The sent values stay while the database is away (P37).
  const ids = form.values.attendees || (loaderData?.attendees.join(',') ?? '');
  const claims = loaderData?.claims ?? [];
  const numbers = ids === '' ? [] : ids.split(',').map((_, at) => at + 1);
  const fields = [
    ['name', 'Name', 'text'],
    ['email', 'Email', 'email'],
  ] as const;
  const labels = numbers.flatMap((number) =>
    fields.map(([name, label]) => [`${name}-${number}`, `${label} of person ${number}`] as const),
  );
  return (
    <ActPage
      title="Who attends"
      lead="Fill in those you know; the others can follow until the first day. Everybody whose email you give gets a link of their own, without prices. Is somebody under 18, or do they need something to take part? Add that afterwards with “Change name”."
      token={token}
    >
      <ErrorSummary form={form} labels={{ list: listLabel, ...Object.fromEntries(labels) }} formId={formId} />
      {claims.length > 0 && <Claims claims={claims} busy={busy} />}
      {numbers.length === 0 ? (
        <p>Everybody has a name.</p>
      ) : (
        <Form id={formId} method="post" noValidate className="grid gap-6">
          <input type="hidden" name="attendees" value={ids} />
          {numbers.length > 1 && (
            <details open={Boolean(form.values.list || form.errors.list)}>
              <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
                Paste a list instead
              </summary>
              <div className="mt-3">
                <TextArea
                  form={form}
                  name="list"
                  label={listLabel}
                  hint={`One person a line: name, email. You can paste two columns of a table. At most ${numbers.length} people.`}
                />
                <div className="mt-3">
                  <Confirm label="Save the list (free)" busy={busy} />
                </div>
              </div>
            </details>
          )}
          {numbers.map((number) => (
            <div key={number} className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
              {fields.map(([name, label, type]) => (
                <TextField
                  key={name}
                  form={form}
                  name={`${name}-${number}`}
                  label={`${label} of person ${number}`}
                  type={type}
                  autoComplete="off"
                />
              ))}
            </div>
          ))}
          <Confirm label="Save (free)" busy={busy} />
        </Form>
      )}
      {numbers.length > 0 && loaderData && <ClaimLink link={loaderData.claimLink} />}
    </ActPage>
  );
}

/** The link by which colleagues take the seats themselves (P115), to copy. */
function ClaimLink({ link }: { link: string }) {
  return (
    <section className="border-t border-line pt-6">
      <h2 className="text-xl">Or let them claim their seats</h2>
      <label htmlFor="claim-link" className="mt-2 block max-w-prose text-mute">
        Send this link to your colleagues. Each confirms an address and types a name. Addresses of your organisation’s
        mail domain, if we know it, get a seat at once; about others we ask you.
      </label>
      <div className="mt-3 flex items-center gap-3">
        <input id="claim-link" readOnly value={link} className={`${field} min-w-0 grow`} />
        <CopyButton value={link} what="link" />
      </div>
    </section>
  );
}

type Claim = { id: number; name: string; email: string };

/** Who asks for a seat by the claim link. */
function Claims({ claims, busy }: { claims: readonly Claim[]; busy: boolean }) {
  return (
    <section>
      <h2 className="text-xl">They ask for a seat</h2>
      <ul className="mt-2 grid">
        {claims.map(({ id, name, email }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3"
          >
            <span className="min-w-0 wrap-anywhere">
              <b>{name}</b>
              <span className="block text-sm text-mute">{email}</span>
            </span>
            <Form method="post" className="flex gap-3">
              <input type="hidden" name="claim" value={id} />
              <button
                type="submit"
                name="answer"
                value="yes"
                disabled={busy}
                aria-label={`Yes: ${name} gets a seat`}
                className={button.primary}
              >
                Yes
              </button>
              <button
                type="submit"
                name="answer"
                value="no"
                disabled={busy}
                aria-label={`No: ${name} gets no seat`}
                className={button.quiet}
              >
                No
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
