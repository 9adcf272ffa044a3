import { href } from 'react-router';
import { permissionWords } from '#app/features/people/permission-words.ts';
import { permissions, roles, rolesWith } from '#app/features/people/permissions.ts';
import { readInstructors, readMembers } from '#app/features/people/roles.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { isFreshStaff, staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { EmailText, Panel, RecordLink, Table } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/team';
import { takeRoleForm } from './role-acts.server.ts';
import { RoleFields, roleWords, SignInAgain } from './role-fields.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'staff:read');
  const { db } = context.get(academyContext);
  const [members, instructors] = await unlessDatabaseAway(async () => [
    await readMembers(db, actor),
    await readInstructors(db, actor),
  ]);
  return {
    members: members.map(({ id, name, email, roles: held }) => ({
      id: String(id),
      name,
      email,
      roles: held.map(({ role }) => role).join(', '),
      since: held[0] ? formatMoment(held[0].since) : '',
    })),
    instructors,
    matrix: permissions.map((permission) => ({ permission, who: rolesWith(permission) })),
    fresh: isFreshStaff(context),
    form: blankStaffForm(0),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'staff:grant');
  const result = await takeRoleForm(context, { form: await readForm(request), actor, member: null });
  return answerForm(result, href('/staff/people/staff'));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = () => staffMeta('Staff and roles');

const labels = { name: 'Name', email: 'Email', role: 'Role', teachesAs: 'Teaches as' };

export default function Team({ loaderData, actionData }: Route.ComponentProps) {
  const { members, instructors, matrix, fresh } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <PageHead title="Staff and roles" beside={members.length === 1 ? '1 person' : `${members.length} people`} />
      <WhoMay needs="staff:grant" what="give and take roles" />
      <ErrorSummary form={form} labels={labels} formId="invite-form" />
      <div className="grid gap-10">
        <Table label="Staff" head={['Name', 'Email', 'Roles', 'Since']}>
          {members.map(({ id, name, email, roles: held, since }) => (
            <tr key={id}>
              <td>
                <RecordLink to={href('/staff/people/staff/:id', { id })}>{name}</RecordLink>
              </td>
              <td>
                <EmailText>{email}</EmailText>
              </td>
              <td>{held}</td>
              <td className="text-mute">{since}</td>
            </tr>
          ))}
        </Table>
        <OnlyWith permission="staff:grant">
          <Panel title="Invite somebody">
            <SignInAgain fresh={fresh} to={href('/staff/people/staff')} />
            <ActForm act="invite" form={form} needs="staff:grant" submit="Invite" className="grid max-w-xl gap-3">
              <p className="text-sm text-mute">
                They get a link by email, set up their second step, and can then do what the role allows. We email all
                owners.
              </p>
              <TextField form={form} name="name" label="Name" required autoComplete="off" />
              <TextField form={form} name="email" label="Email" type="email" required autoComplete="off" />
              <RoleFields form={form} instructors={instructors} />
            </ActForm>
          </Panel>
        </OnlyWith>
        <Panel title="Who may do what">
          <ul className="mb-4 grid gap-0.5 text-sm">
            {roles.map((role) => (
              <li key={role}>
                <b className="capitalize">{role}</b> {roleWords[role]}.
              </li>
            ))}
          </ul>
          <Table label="Who may do what" head={['May', ...roles]}>
            {matrix.map(({ permission, who }) => (
              <tr key={permission} className="border-b border-line">
                <th scope="row" className="py-1 pr-4 text-left font-normal">
                  {permissionWords[permission]}
                </th>
                {roles.map((role) => (
                  <td key={role} className="py-1 pr-4 text-sm">
                    {who.includes(role) ? 'Yes' : <span className="text-mute">No</span>}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        </Panel>
      </div>
    </>
  );
}
