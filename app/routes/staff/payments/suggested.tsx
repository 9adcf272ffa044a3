import { data, href, redirect } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, WhoMay } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import { Back, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/suggested';
import { columns, Moved } from './money-lists.tsx';
import { readSure, takeSure } from './suggested.server.ts';
import { SuggestedFor } from './suggestions.tsx';

/** Numbers in a search parameter, such as `12,15`. */
const idsIn = (url: URL, name: string): number[] =>
  /^\d{1,15}(,\d{1,15}){0,99}$/.test(url.searchParams.get(name) ?? '')
    ? (url.searchParams.get(name) ?? '').split(',').map(Number)
    : [];

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  const [before = null] = idsIn(url, 'before');
  const without = idsIn(url, 'without');
  const { seen, ...sure } = await unlessDatabaseAway(() =>
    readSure(context.get(academyContext).db, actor, { before, without }),
  );
  return { ...sure, before, without, form: blankStaffForm(seen) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'money:record');
  const form = await readForm(request);
  const { result, accepted, changed } = await takeSure(context.get(academyContext), { form, actor });
  if (!result.ok) return data({ form: result.form }, { status: result.status });
  throw redirect(`${href('/staff/payments')}?accepted=${accepted}&changed=${changed}`, 303);
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Sure suggestions');

export default function Suggested({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, total, picks, looked, next, before, without } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const query = (left: readonly number[]) =>
    `?${new URLSearchParams([...(before ? [['before', String(before)]] : []), ...(left.length > 0 ? [['without', left.join()]] : [])])}`;
  return (
    <>
      <Back to={href('/staff/payments')}>Payments</Back>
      <PageHead
        title="Sure suggestions"
        beside={
          looked === 1 ? 'Among 1 payment without an enrolment.' : `Among ${looked} payments without an enrolment.`
        }
      />
      <WhoMay needs="money:record" what="accept them" />
      {actionData?.form && <ErrorSummary form={form} labels={{}} formId="accept-form" />}
      <p className="mb-4 max-w-prose">
        Of each of these payments the amount is exactly what is owed, its words say who paid, and nothing else fits as
        well. Nothing is accepted before you press the button.
      </p>
      {rows.length > 0 && (
        <>
          <ActForm
            act="accept"
            form={form}
            needs="money:record"
            className="mb-6"
            carries={{ picks }}
            submit={`Accept ${rows.length === 1 ? 'this one' : `these ${rows.length}`}, together ${total}`}
            look="primary"
            stays={false}
          />
          <Rows label="Sure suggestions" rows={rows} keyOf={({ id }) => id} columns={columns} roomy>
            {({ id, day, amount, words, suggestion }) => (
              <>
                <Moved
                  day={day}
                  amount={<TextLink to={href('/staff/payments/:id', { id: String(id) })}>{amount}</TextLink>}
                  words={words}
                />
                <div>
                  <SuggestedFor suggestion={suggestion} />
                  <TextLink to={query([...without, id].slice(-100))}>
                    Leave out<span className="sr-only"> the payment of {amount}</span>
                  </TextLink>
                </div>
              </>
            )}
          </Rows>
        </>
      )}
      {rows.length === 0 && <Words>None of these payments has a sure suggestion.</Words>}
      <nav aria-label="Pages" className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
        {without.length > 0 && <TextLink to={query([])}>Take all in again</TextLink>}
        {next && <TextLink to={`?before=${next}`}>Older payments</TextLink>}
      </nav>
    </>
  );
}
