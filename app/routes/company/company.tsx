import { Form, href, Link, useNavigation } from 'react-router';
import { type CompanyDone, takeCompanyAct } from '#app/features/companies/company-acts.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm } from '#app/http/take-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { needsOf } from '#app/routes/account/needs.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/company';
import { companyFor, managerOf } from './company-for.server.ts';
import { CompanyView, rowLine, textLink } from './company-view.tsx';

/** The page of an organisation for its managers (P116): people, dates, money, quotes, managers, and who did what. */
export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const { records, tokenOf, shown, personId } = await companyFor(context, id);
  const bought = records.enrolments.map((one) => ({ ...one, token: tokenOf.get(one.enrolment.id) ?? '' }));
  return {
    id,
    company: shown,
    needs: needsOf(
      { bought, attended: [], offers: [], waiting: [] },
      [],
      academyToday(context.get(academyContext).clock),
    ),
    self: personId,
    done: sentences[url.searchParams.get('done') ?? ''] ?? null,
    form: blankForm('Nothing was changed'),
  };
}

export async function action({ context, request, params: { id } }: Route.ActionArgs) {
  const from = context.get(clientAddressContext);
  const sent = { ...managerOf(context, id), form: await readForm(request), from };
  const result = await takeCompanyAct(context.get(academyContext), sent);
  return answerForm(result, ({ did }) =>
    did === 'left' ? href('/company') : `${href('/company/:id', { id })}?done=${did}`,
  );
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

const sentences: Partial<Record<string, string>> = {
  named: 'They are a manager now. We email them how to log in.',
  ended: 'They are no manager any more.',
  taken: 'The enrolment belongs to your organisation now. Its buyer reads so by email.',
  'not-taken': 'It stays with its buyer, who reads so by email.',
} satisfies Partial<Record<CompanyDone, string>>;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.company.name ?? 'Your organisation'} | Bowerbird Academy` },
];

export default function Company({ loaderData, actionData }: Route.ComponentProps) {
  const { id, company, needs, self, done } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <CompanyView
      company={company}
      file={href('/company/:id/people.csv', { id })}
      needs={(company.asks.length > 0 || needs.length > 0) && <Needs asks={company.asks} needs={needs} />}
      managers={<Managers managers={company.managers} self={self} form={form} />}
    >
      <h1 className="text-4xl wrap-anywhere lg:text-5xl">{company.name}</h1>
      {done && (
        <p role="status" className="mt-5 rounded-card border-2 border-action bg-card p-4 font-semibold">
          {done}
        </p>
      )}
      <ErrorSummary form={form} labels={{ email: 'Email of a colleague' }} formId={managersId} />
    </CompanyView>
  );
}

type Loaded = Route.ComponentProps['loaderData'];

/** What waits for a manager: buyers who ask, what is due, seats without a name, dates that we had to change. */
function Needs({ asks, needs }: { asks: Loaded['company']['asks']; needs: Loaded['needs'] }) {
  const busy = useNavigation().state === 'submitting';
  const line = 'grid items-center gap-x-6 gap-y-2 border-t border-line py-4 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]';
  return (
    <section>
      <h2 className="mb-4 text-3xl">Needs you</h2>
      <ul>
        {asks.map(({ reference, title, buyer_name, email, asked_at }) => (
          <li key={reference} className={line}>
            <p className="text-sm font-bold">Asked {asked_at}</p>
            <div className="min-w-0">
              <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">
                Is {reference} yours? {title}
              </h3>
              <p className="text-sm text-mute wrap-anywhere">
                {buyer_name}, {email}, bought it in your name. Anybody can type an ABN: check the address first.
              </p>
            </div>
            <Form method="post" preventScrollReset className="flex flex-wrap gap-3">
              <input type="hidden" name="reference" value={reference} />
              <button type="submit" name="act" value="take" disabled={busy} className={button.primary}>
                Take it<span className="sr-only">: {reference}</span>
              </button>
              <button type="submit" name="act" value="leave" disabled={busy} className={button.quiet}>
                No<span className="sr-only">, leave {reference} with its buyer</span>
              </button>
            </Form>
          </li>
        ))}
        {needs.map(({ key, by, title, detail, act }) => (
          <li key={key} className={line}>
            <p className="text-sm font-bold">{by}</p>
            <div className="min-w-0">
              <h3 className="font-sans text-[1.0625rem] leading-6 font-bold wrap-anywhere">{title}</h3>
              <p className="text-sm text-mute wrap-anywhere">{detail}</p>
            </div>
            <Link to={act.to} aria-label={`${act.text}: ${title}`} className={`${button.quiet} justify-self-start`}>
              {act.text}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const managersId = 'managers-form';

function Managers({
  managers,
  self,
  form,
}: {
  managers: Loaded['company']['managers'];
  self: number;
  form: FormState;
}) {
  const busy = useNavigation().state === 'submitting';
  const others = managers.some(({ personId, proved }) => personId !== self && proved);
  return (
    <section>
      <h2 className="mb-3 text-2xl">Managers</h2>
      <ul>
        {managers.map(({ id, personId, name, email, proved }) => (
          <li key={id} className={`${rowLine} flex flex-wrap items-center justify-between gap-x-4 gap-y-2`}>
            <span className="min-w-0">
              <b className="wrap-anywhere">{name ?? email}</b>
              {personId === self && ' (you)'}
              {name && <span className="block text-sm text-mute wrap-anywhere">{email}</span>}
              {!proved && <span className="block text-sm text-mute">Has not logged in yet</span>}
            </span>
            {(personId !== self || others) && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="manager" value={id} />
                <button type="submit" name="act" value="end-manager" disabled={busy} className={textLink}>
                  {personId === self ? 'Leave' : 'End'}
                  <span className="sr-only">{personId === self ? ' this organisation' : `: ${name ?? email}`}</span>
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {!others && (
        <p className="border-t border-line pt-3 text-[0.9375rem] text-mute">
          Two managers are best. Before you can leave, another has to have logged in.
        </p>
      )}
      <Form id={managersId} method="post" preventScrollReset noValidate className="mt-4 grid gap-4">
        <input type="hidden" name="act" value="add-manager" />
        <TextField
          form={form}
          name="email"
          label="Email of a colleague"
          hint="They see and change all that is on this page."
          type="email"
          required
        />
        <div>
          <button type="submit" disabled={busy} className={button.quiet}>
            {busy ? 'Sending' : 'Make them a manager'}
          </button>
        </div>
      </Form>
    </section>
  );
}
