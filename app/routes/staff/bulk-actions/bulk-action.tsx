import { data, href, Link } from 'react-router';
import { z } from 'zod';
import { neededFor } from '#app/features/inbox/bulk-actions/acts.ts';
import { takeBack } from '#app/features/inbox/bulk-actions/press.server.ts';
import { findBulkAction } from '#app/features/inbox/bulk-actions/queries.server.ts';
import {
  blankStaffForm,
  common,
  readHistory,
  takeStaffAct,
  tooLateToTakeBack,
} from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { brisbaneSecond, formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { TakeBack } from '#app/ui/staff/take-back.tsx';
import { Back, History, Table, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/bulk-action';
import { bulkActionTitle, countsInWords, emailStates } from './words.ts';

/** The number in the address; 0, which no bulk action has, for anything else. */
const numberIn = (text: string) => Number(/^\d{1,9}$/.exec(text)?.[0] ?? 0);

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db, clock } = context.get(academyContext);
  const number = numberIn(params.number);
  const found = await unlessDatabaseAway(async () => {
    const action = await findBulkAction(db, actor, number);
    return action && { action, history: await readHistory(db, actor, `bulk-action:${number}`) };
  });
  if (!found) throw data(`There is no bulk action ${params.number}.`, { status: 404 });
  const { action, history } = found;
  const { act, subject, body, emails, leftMs } = action;
  const title = bulkActionTitle(act, subject);
  const counts = { queued: 0, sent: 0, failed: 0, dropped: 0 };
  for (const { state } of emails) counts[state] += 1;
  return {
    number: String(number),
    title,
    body,
    made: `${action.made_by ?? 'Somebody who left'}, ${formatMoment(action.made_at)}`,
    takenBack: action.taken_back_at && formatMoment(action.taken_back_at),
    canTakeBack:
      action.taken_back_at || leftMs === 0
        ? []
        : [
            {
              mailId: String(number),
              subject: title,
              to: [counts.queued === 1 ? '1 address' : `${counts.queued} addresses`],
              leftMs,
              until: brisbaneSecond(new Date(clock.now().getTime() + leftMs)),
            },
          ],
    needs: neededFor(act),
    counts: countsInWords(counts),
    failed: counts.failed > 0,
    emails: emails.map(({ id, recipient, reference, state, reason }) => ({
      id,
      reference,
      to: showControlCharacters(recipient),
      state: emailStates[state],
      reason: reason === null ? '' : showControlCharacters(reason),
    })),
    entries: history.entries,
    form: blankStaffForm(history.seen),
  };
}

const takeBackForm = z.object({ ...common, act: z.literal('take-back') });

export async function action({ context, request, params: { number } }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema: takeBackForm,
    subject: `bulk-action:${numberIn(number)}`,
    actor,
    compares: false,
    async act(trx, _, moment) {
      const taken = await takeBack(trx, { number: numberIn(number), actor }, moment);
      if (taken.ok) return { ok: true, did: null };
      return taken.reason === 'unknown' ? { ok: false, reason: 'missing' } : tooLateToTakeBack;
    },
  });
  return answerForm(result, href('/staff/bulk-actions/:number', { number }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.title ?? 'Bulk action');

/** What was sent of a bulk action, what waits and what came back, and for 60 seconds the button that takes it back. */
export default function BulkAction({ loaderData, actionData }: Route.ComponentProps) {
  const { title, made, takenBack, canTakeBack, needs, counts, failed, emails, body, entries } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/bulk-actions')}>Bulk actions</Back>
      <h1 className="text-2xl wrap-anywhere">{title}</h1>
      <p className="mb-4 text-mute">{made}</p>
      <ErrorSummary form={form} labels={{}} formId="take-back-form" />
      <TakeBack mails={canTakeBack} form={form} needs={needs} />
      <p role="status" className="tabular mb-4 font-semibold">
        {takenBack ? `Taken back on ${takenBack}. Nothing was sent.` : counts}
      </p>
      {failed && (
        <p className="mb-4">
          <TextLink to={href('/staff/mail')}>Emails that did not arrive</TextLink>
        </p>
      )}
      <div className="grid max-w-3xl gap-7">
        {body && (
          <Section title="What it says">
            <p className="py-2 whitespace-pre-line wrap-anywhere">{body}</p>
          </Section>
        )}
        <Section title="Emails">
          <Table label="Emails" head={['To', 'Enrolment', 'State']} minWidth="min-w-0">
            {emails.map(({ id, to, reference, state, reason }) => (
              <tr key={id}>
                <td className="wrap-anywhere">{to}</td>
                <td className="whitespace-nowrap">
                  {reference && (
                    <Link to={href('/staff/enrolments/:reference', { reference })} className="hover:underline">
                      {reference}
                    </Link>
                  )}
                </td>
                <td className="break-words">
                  {state}
                  {reason && <span className="text-mute">{`: ${reason}`}</span>}
                </td>
              </tr>
            ))}
          </Table>
        </Section>
        <History entries={entries} />
      </div>
    </>
  );
}
