import { data, href, Link } from 'react-router';
import { z } from 'zod';
import { type BuyerAct, buyerActs, neededFor } from '#app/features/inbox/bulk-actions/acts.ts';
import { planBuyers } from '#app/features/inbox/bulk-actions/plan-buyers.server.ts';
import { mailBuyers, planKey } from '#app/features/inbox/bulk-actions/press.server.ts';
import { blankStaffForm, common, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { formatCount } from '#app/lib/money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { chosenEnrolments } from '#app/routes/staff/enrolments/chosen-enrolments.server.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { chosenRowsIn, chosenRowsQuery } from '#app/routes/staff/lists/chosen-rows.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, WhoMay } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, Table, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/buyers';
import { listAddress, tooMany } from './chosen-records.server.ts';
import { LeftOut } from './left-out.tsx';
import { buyerActWords, emailsInWords, notDone } from './words.ts';

/** The act that an address names; answers 404 for another one. */
function actIn(name: string): BuyerAct {
  const act = buyerActs.find((one) => one === name);
  if (act) return act;
  throw data('There is nothing here.', { status: 404 });
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const { db } = academy;
  const act = actIn(params.act);
  const chosen = chosenRowsIn(url.searchParams);
  const page = {
    act,
    back: listAddress(enrolmentList.path, chosen.list),
    to: `${url.pathname}?${chosenRowsQuery(chosen)}`,
    form: blankStaffForm(0),
  };
  const nobody = { ...page, expects: '', gets: [], leftOut: [], sum: '' };
  const ids = await unlessDatabaseAway(() => chosenEnrolments(db, actor, chosen, moment.today));
  if (ids === 'too-many') return { ...nobody, line: tooMany };
  if (ids.length === 0) return { ...nobody, line: 'No enrolment is ticked. Go back to the list.' };
  const plan = await unlessDatabaseAway(() => planBuyers(db, actor, { ids, act }, moment));
  const gets = plan.filter(({ leftOut }) => leftOut === null);
  const nameOf = ({ name }: { name: string }) => showControlCharacters(name);
  return {
    ...page,
    line: null,
    expects: planKey(plan),
    gets: gets.map((one) => ({ reference: one.reference, buyer: nameOf(one), owed: formatCents(one.cents) })),
    sum: formatCents(gets.reduce((sum, { cents }) => sum + cents, 0)),
    leftOut: plan.flatMap(({ leftOut: why, ...one }) =>
      why === null ? [] : [{ who: `${nameOf(one)}, ${one.reference}`, why }],
    ),
  };
}

const pressForm = z.object({ ...common, expects: z.string() });

export async function action({ context, request, params, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'enrolments:change');
  const act = actIn(params.act);
  const chosen = chosenRowsIn(url.searchParams);
  let number: number | null = null;
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema: pressForm,
    subject: 'list:enrolments',
    actor,
    compares: false,
    words: { kept: 'Nothing was sent.' },
    async act(trx, { expects }, moment) {
      const ids = await chosenEnrolments(trx, actor, chosen, moment.today);
      if (ids === 'too-many') return { ok: false, reason: 'refused', fault: tooMany };
      const mailed = await mailBuyers(trx, { act, ids, actor, expects }, moment);
      if (!mailed.ok) return { ok: false, reason: 'refused', fault: notDone[mailed.reason] };
      number = mailed.number;
      return { ok: true, did: null };
    },
  });
  // Pressed twice, it is one.
  return answerForm(result, () =>
    number === null ? href('/staff/bulk-actions') : href('/staff/bulk-actions/:number', { number: String(number) }),
  );
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? buyerActWords[loaderData.act].title : 'Bulk actions');

/** Who gets an email about their enrolment, who is left out and why, and the button that sends them (P101). */
export default function MailBuyers({ loaderData, actionData }: Route.ComponentProps) {
  const { act, back, to, line, gets, leftOut, expects, sum } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const { title, explains, button } = buyerActWords[act];
  const needs = neededFor(act);
  const owes = act === 'remind';
  return (
    <>
      <Back to={back}>Enrolments</Back>
      <h1 className="text-2xl">{title}</h1>
      {line !== null ? (
        <Words>{line}</Words>
      ) : (
        <>
          <p className="mt-1 mb-4 max-w-prose text-mute">
            {explains} An address gets one email, and none if it got the same kind in the last three days.
          </p>
          <WhoMay needs={needs} what="do this" />
          <ErrorSummary form={form} labels={{}} formId="press-form" />
          <div className="grid max-w-3xl gap-7">
            <LeftOut people={leftOut} />
            <ActForm
              act={act}
              id="press-form"
              form={form}
              needs={needs}
              to={to}
              carries={{ expects }}
              submit={gets.length > 0 && `${button} (${formatCount(gets.length)})`}
              look="primary"
            >
              {gets.length > 0 && (
                <p className="text-sm text-mute">
                  The emails go out 60 seconds after you press. Until then you can take them back.
                </p>
              )}
            </ActForm>
            <Section title={gets.length === 0 ? 'Nobody gets an email' : emailsInWords(gets.length)}>
              {gets.length > 0 && (
                <Table
                  label="Who gets an email"
                  head={['Buyer', 'Enrolment', ...(owes ? [{ text: 'Owed, AU$', right: true } as const] : [])]}
                  minWidth="min-w-0"
                >
                  {gets.map(({ reference, buyer, owed }) => (
                    <tr key={reference}>
                      <td className="wrap-anywhere">{buyer}</td>
                      <td>
                        <Link to={href('/staff/enrolments/:reference', { reference })} className="hover:underline">
                          {reference}
                        </Link>
                      </td>
                      {owes && <NumberCell>{owed}</NumberCell>}
                    </tr>
                  ))}
                  {owes && gets.length > 1 && (
                    <tr className="font-semibold">
                      <td>All</td>
                      <td />
                      <NumberCell>{sum}</NumberCell>
                    </tr>
                  )}
                </Table>
              )}
            </Section>
          </div>
        </>
      )}
    </>
  );
}
