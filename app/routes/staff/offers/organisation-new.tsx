import { href } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/organisation-new';
import { takeOrganisation } from './organisation-acts.server.ts';
import { OrganisationFields, organisationLabels } from './organisation-fields.tsx';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'companies:change');
  return { form: blankStaffForm(0, { creditSeats: '0', discountPercent: '0' }) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'companies:change');
  const result = await takeOrganisation(context.get(academyContext), { form: await readForm(request), actor });
  const id = result.id === undefined ? null : String(result.id);
  return answerForm(result, id ? href('/staff/organisations/:id', { id }) : href('/staff/organisations'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Add an organisation');

export default function OrganisationNew({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/organisations')}>Organisations</Back>
      <h1 className="mb-6 text-2xl">Add an organisation</h1>
      <ErrorSummary form={form} labels={organisationLabels} formId="make-form" />
      <ActForm
        act="make"
        form={form}
        needs="companies:change"
        className="grid max-w-3xl gap-4"
        submit="Add it"
        look="primary"
        stays={false}
      >
        <OrganisationFields form={form} />
      </ActForm>
    </>
  );
}
