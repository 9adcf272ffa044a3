import { data, href } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readCandidates } from '#app/features/study/certificates/group.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { logContext } from '#app/http/context.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { DialogHead } from '#app/ui/staff/dialog.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import type { Route } from './+types/place-certificate';
import { takeIssuing } from './issue-form.server.ts';
import { Issuing } from './issuing.tsx';
import { shownCandidate } from './shown-candidates.server.ts';

/** The certificate of one place, such as of guided study, which has no course date. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'certificates:issue');
  const academy = context.get(academyContext);
  const placeId = Number(/^\d{1,15}$/.exec(params.placeId)?.[0] ?? 0);
  const [found] = await unlessDatabaseAway(() => readCandidates(academy.db, actor, { placeId }, momentOf(academy)));
  if (!found) throw data('There is no such place.', { status: 404 });
  return { title: found.courseTitle, people: [shownCandidate(found)], form: blankStaffForm(0) };
}

export async function action({ context, request, params: { placeId } }: Route.ActionArgs) {
  const actor = staffFor(context, 'certificates:issue');
  const log = context.get(logContext);
  const onFailure = (err: unknown) => log.error({ err }, 'a certificate could not be issued');
  const form = await readForm(request);
  const result = await takeIssuing(context.get(academyContext), { form, actor, onFailure });
  return answerForm(result, href('/staff/places/:placeId/certificate', { placeId }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = () => staffMeta('Certificate');

export default function PlaceCertificate({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <DialogHead from={{ to: href('/staff'), text: 'Today' }} title="Certificate" line={loaderData.title} />
      <ErrorSummary form={form} labels={{}} formId={form.values.act === 'work' ? 'work-form' : 'issue-form'} />
      <Issuing people={loaderData.people} form={form} />
    </>
  );
}
