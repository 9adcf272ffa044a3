import { data, href } from 'react-router';
import { readInstructors, readMembers } from '#app/features/people/roles.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { isFreshStaff, staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ActForm, ButtonText, OnlyWith, SendButton } from '#app/ui/staff/act-form.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Facts, History, Panel, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/member';
import { EndForm } from './end-logins.tsx';
import { takeRoleForm } from './role-acts.server.ts';
import { RoleFields, SignInAgain } from './role-fields.tsx';

const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
const nobody = () => data('Nobody here is staff.', { status: 404 });

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'staff:read');
  const { db } = context.get(academyContext);
  const id = idOf(params.id);
  const [[member], instructors, history] = await unlessDatabaseAway(async () => [
    await readMembers(db, actor, id),
    await readInstructors(db, actor),
    await readHistory(db, actor, `person:${id}`),
  ]);
  if (!member) throw nobody();
  return {
    id: String(id),
    name: member.name,
    email: member.email,
    roles: member.roles.map(({ role, teachesAs, since, by }) => ({
      role,
      teachesAs,
      since: formatMoment(since),
      by: by ?? 'the command line',
    })),
    instructors,
    entries: history.entries,
    fresh: isFreshStaff(context),
    form: blankStaffForm(history.seen),
  };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'staff:grant');
  const form = await readForm(request);
  const [member] = await actOr503(unconfirmed, () =>
    readMembers(context.get(academyContext).db, actor, idOf(params.id)),
  );
  if (!member) throw nobody();
  const result = await takeRoleForm(context, { form, actor, member });
  // A person without a role has no page here.
  return answerForm(result, href('/staff/people/staff'));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.name ?? 'Staff');

const labels = { role: 'Role', teachesAs: 'Teaches as', reason: 'Why' };

export default function MemberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, email, roles, instructors, entries, fresh } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <RecordPage
      back={{ to: href('/staff/people/staff'), text: 'Staff and roles' }}
      title={name}
      pill={null}
      line={email}
      form={form}
      labels={labels}
      needs="staff:grant"
      what="give and take roles"
      first={
        <OnlyWith permission="staff:grant">
          <SignInAgain fresh={fresh} to={href('/staff/people/staff/:id', { id })} />
        </OnlyWith>
      }
      about="About this person"
      aside={
        <Facts
          facts={[
            ['Email', email],
            [
              'Record',
              <TextLink key="record" to={href('/staff/people/:id', { id })}>
                All about this person
              </TextLink>,
            ],
          ]}
        />
      }
    >
      <Panel title="Roles">
        <ul className="grid">
          {roles.map(({ role, teachesAs, since, by }) => (
            <li key={role} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1.5">
              <b>{role}</b>
              <span className="text-mute">
                {teachesAs && `as ${teachesAs}, `}since {since}, from {by}
              </span>
              <div className="ml-auto">
                <ActForm act="take" id={null} form={form} needs="staff:grant" carries={{ role }}>
                  <SendButton look="danger">
                    <ButtonText about={`the role ${role}`}>Take away</ButtonText>
                  </SendButton>
                </ActForm>
              </div>
            </li>
          ))}
        </ul>
      </Panel>
      <OnlyWith permission="staff:grant">
        <Panel title="Give another role">
          <ActForm act="give" form={form} needs="staff:grant" submit="Give this role" className="grid max-w-xl gap-3">
            <p className="text-sm text-mute">This logs them out. They log in again by email.</p>
            <RoleFields form={form} instructors={instructors} />
          </ActForm>
        </Panel>
        <Panel title="End all logins">
          <EndForm form={form} />
        </Panel>
      </OnlyWith>
      <History entries={entries} />
    </RecordPage>
  );
}
