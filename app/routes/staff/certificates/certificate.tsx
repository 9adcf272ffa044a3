import { data, href } from 'react-router';
import { z } from 'zod';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  blankStaffForm,
  common,
  readHistory,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import {
  canBeUndone,
  revokeCertificate,
  undoCertificate,
} from '#app/features/study/certificates/end-certificate.server.ts';
import {
  heldInWords,
  metInWords,
  type Revocation,
  revocations,
  ruleInWords,
} from '#app/features/study/certificates/facts.ts';
import { decideName } from '#app/features/study/certificates/holder.server.ts';
import { inFours, numberOf } from '#app/features/study/certificates/number.ts';
import {
  findCertificateForStaff,
  keepCertificate,
  reviewReason,
} from '#app/features/study/certificates/staff-list.server.ts';
import { type Academy, academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { select } from '#app/ui/field.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Facts, History, Panel, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/certificate';
import { StatePill } from './state-pill.tsx';

const whys = Object.keys(revocations) as [Revocation, ...Revocation[]];

const schema = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('revoke'), why: z.enum(whys, 'Choose why.') }),
  z.object({ ...common, act: z.literal('undo') }),
  z.object({ ...common, act: z.literal('take-name') }),
  z.object({ ...common, act: z.literal('refuse-name'), reason: requiredLine('why the old name stays', 300) }),
  z.object({ ...common, act: z.literal('let-stand') }),
]);

type Asked = { form: FormData | null; number: string; actor: StaffActor };

/** Takes the forms of a certificate's page for staff. */
function takeCertificateAct(academy: Academy, { form, number, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema,
    subject: `certificate:${number}`,
    actor,
    async act(trx, data, moment) {
      const { now } = moment;
      const result = await (async () => {
        switch (data.act) {
          case 'revoke':
            return revokeCertificate(trx, { number, why: data.why, actor }, moment);
          case 'undo':
            return undoCertificate(trx, { number, actor }, now);
          case 'take-name':
            return decideName(trx, { number, take: true, actor }, moment);
          case 'refuse-name':
            return decideName(trx, { number, take: false, why: data.reason, actor }, moment);
          case 'let-stand':
            return (await keepCertificate(trx, { number, actor }, now))
              ? ({ ok: true } as const)
              : ({ ok: false, reason: 'ended' } as const);
        }
      })();
      if (!result.ok) {
        if (result.reason === 'unknown') return { ok: false, reason: 'missing' };
        return { ok: false, reason: 'refused', fault: whyNot[result.reason] };
      }
      const action = actions[data.act];
      return {
        ok: true,
        did: data.act === 'revoke' ? { action, details: { why: revocations[data.why] } } : { action },
      };
    },
  });
}

const actions = {
  revoke: 'revoke-certificate',
  undo: 'undo-certificate',
  'take-name': 'take-certificate-name',
  'refuse-name': 'refuse-certificate-name',
  'let-stand': 'let-certificate-stand',
};

const whyNot = {
  ended: 'This certificate is no longer valid.',
  'too-late': 'It can no longer be undone: 15 minutes have passed. You can revoke it.',
  'nothing-asked': 'Nobody asks for another name any more.',
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = staffFor(context, 'certificates:read');
  const academy = context.get(academyContext);
  const moment = momentOf(academy);
  const number = numberOf(params.number);
  const found = await unlessDatabaseAway(async () => {
    const certificate = number && (await findCertificateForStaff(academy.db, actor, number));
    if (!certificate) return null;
    const look = await reviewReason(academy.db, actor, certificate.id, moment);
    return { certificate, look, history: await readHistory(academy.db, actor, `certificate:${number}`) };
  });
  if (!found) throw data(`There is no certificate ${params.number}.`, { status: 404 });
  const { certificate, look, history } = found;
  const { facts, state } = certificate;
  return {
    number: certificate.number,
    name: certificate.holderName === null ? 'Erased' : showControlCharacters(certificate.holderName),
    state,
    title: facts.course.title,
    look: look && { ...look, name: look.name && showControlCharacters(look.name) },
    undoable: canBeUndone(certificate, moment.now),
    shows: state === 'issued' ? showsInWords[certificate.shows] : endedInWords[state],
    held: heldInWords(facts),
    rule: ruleInWords(facts),
    met: metInWords(facts),
    instructor: facts.instructor ?? '',
    issued: formatMoment(certificate.issuedAt),
    ended: certificate.endedAt && formatMoment(certificate.endedAt),
    reason: certificate.reason,
    supersededBy: certificate.supersededBy,
    supersedes: certificate.supersedes,
    entries: history.entries,
    form: blankStaffForm(history.seen),
  };
}

const showsInWords = { valid: 'That it is valid', name: 'The name too' };
const endedInWords = {
  revoked: 'That it was revoked, when and why',
  withdrawn: 'That its holder withdrew it, and when',
  superseded: 'That it was issued again, and as which number',
  undone: 'Nothing: its number is unknown to them',
};

export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'certificates:revoke');
  const number = numberOf(params.number) ?? '';
  const form = await readForm(request);
  const result = await takeCertificateAct(context.get(academyContext), { form, number, actor });
  // One that was undone has no page any more.
  const gone = form?.get('act') === 'undo';
  return answerForm(result, gone ? href('/staff/certificates') : href('/staff/certificates/:number', { number }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Certificate ${inFours(loaderData.number)}` : 'Certificate');

const labels = { why: 'Why', reason: 'Why the old name stays' };

export default function Certificate({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form ?? loaderData.form;
  const { number, name, state, title, look, entries } = loaderData;
  const link = (other: string | null) =>
    other && <TextLink to={href('/staff/certificates/:number', { number: other })}>{inFours(other)}</TextLink>;
  return (
    <RecordPage
      back={{ to: href('/staff/certificates'), text: 'Certificates' }}
      title={name}
      pill={<StatePill state={state} />}
      line={
        <span className="tabular">
          {title}, {inFours(number)}
        </span>
      }
      form={form}
      labels={labels}
      needs="certificates:revoke"
      what="change this certificate"
      about="About this certificate"
      aside={
        <>
          <Facts
            facts={[
              ['Held', loaderData.held],
              ['Rule', loaderData.rule],
              ['Met by', loaderData.met],
              ['Instructor', loaderData.instructor],
              ['Issued', loaderData.issued],
              ['Ended', loaderData.ended],
              ['Why', loaderData.reason],
              ['The public sees', loaderData.shows],
              ['Issued again as', link(loaderData.supersededBy)],
              ['Takes the place of', link(loaderData.supersedes)],
              [
                'Public page',
                <TextLink key="public" to={href('/certificates/:number', { number })}>
                  The certificate’s page
                </TextLink>,
              ],
            ]}
          />
          {(state === 'issued' || state === 'withdrawn') && <Ending form={form} undoable={loaderData.undoable} />}
        </>
      }
    >
      {look?.name && (
        <Panel title="Another name">
          <p className="mb-3 max-w-prose">
            The holder asks for the name <b className="wrap-anywhere">{look.name}</b>. Ask for proof before you take it:
            the certificate is then issued again with that name, and this number says so.
          </p>
          <div className="grid max-w-prose gap-5">
            <ActForm act="take-name" form={form} needs="certificates:revoke" submit="Take this name" look="primary" />
            <ActForm act="refuse-name" form={form} needs="certificates:revoke" submit="Keep the old name and email why">
              <TextField
                form={form}
                name="reason"
                label="Why the old name stays"
                hint="A sentence that the holder reads in the email."
                required
              />
            </ActForm>
          </div>
        </Panel>
      )}
      {look && look.missing.length > 0 && (
        <Panel title="Corrected after it was issued">
          <div className="mb-3 max-w-prose">
            <p>By the records as they are now, this certificate would not be issued:</p>
            {look.missing.map((one) => (
              <p key={one} className="font-semibold">
                {one}
              </p>
            ))}
            <p>Revoke it, or let it stand.</p>
          </div>
          <ActForm act="let-stand" form={form} needs="certificates:revoke" submit="Let it stand" />
        </Panel>
      )}
      <History entries={entries} />
    </RecordPage>
  );
}

function Ending({ form, undoable }: { form: Route.ComponentProps['loaderData']['form']; undoable: boolean }) {
  return (
    <>
      {undoable && (
        <ActForm act="undo" form={form} needs="certificates:revoke" submit="Undo it">
          <p className="text-sm text-mute">Nobody has been told yet. Its number will be unknown.</p>
        </ActForm>
      )}
      <ActForm act="revoke" form={form} needs="certificates:revoke" submit="Revoke it" look="danger">
        <label className="grid gap-1.5">
          <span className="font-bold">Why</span>
          <select id="why" name="why" defaultValue={form.values.why ?? ''} className={select}>
            <Options none="Choose" of={Object.entries(revocations)} />
          </select>
        </label>
        <p className="text-sm text-mute">
          Its page will say so to everybody, with today’s date and this reason. A certificate that is revoked stays
          revoked.
        </p>
      </ActForm>
    </>
  );
}
