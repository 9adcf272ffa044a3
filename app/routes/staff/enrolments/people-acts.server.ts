import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { changeBuyerEmail, correctBuyer } from '#app/features/enrolments/buyer.server.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import {
  type Asked,
  type Done,
  done,
  meanwhile,
  refused,
  withEnrolment,
} from '#app/features/enrolments/lock-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { followBuyer, offeredCourseDates } from '#app/features/enrolments/waiting/entries.server.ts';
import { type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { correctNameOf } from '#app/features/study/certificates/holder.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { addressRemark, attendeeForm, buyerForm, payerOf } from './enrolment-forms.ts';
import { enrolmentLabels } from './enrolment-labels.ts';
import { mergeFields } from './merge-fields.ts';
import { sendLinks } from './send-links.server.ts';

/** Renames an attendee or corrects their details: free, and no move (P40). */
export function takeAttendee(
  academy: Academy,
  { form, reference, actor, attendeeId }: Asked & { attendeeId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: attendeeForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const { places } = await readEnrolment(trx, enrolmentId);
        const present = places.find((place) => place.attendee.id === attendeeId)?.attendee;
        if (!present) return refused(noPlace);
        const merged = mergeFields(
          { typed: values, was: values.was, now: shownOfAttendee(present) },
          { whole: ['name', 'email'], labels: enrolmentLabels },
        );
        if (!merged.ok) return merged;
        const { name, email, needs, under18, guardianName, guardianEmail } = merged.fields;
        const guardian = guardianName === null ? null : { name: guardianName, email: guardianEmail };
        const attendee = { name, email, needs, under18, guardian };
        const result = await changeAttendee(trx, { enrolmentId, attendeeId, attendee, actor }, moment);
        if (result.ok) {
          const numbers = name === null ? [] : await correctNameOf(trx, { attendeeId, name, actor }, moment);
          for (const number of numbers) {
            const entry = { at: moment.now, personId: actor.person.id, subject: `certificate:${number}` };
            await writeAuditEntry(trx, { ...entry, action: 'correct-certificate-name' });
          }
          return result.changed || numbers.length > 0 ? done('change-attendee') : { ok: true, did: null };
        }
        if (result.reason === 'begun') return refused(begun);
        return refused(result.reason === 'meanwhile' ? meanwhile : noPlace);
      });
    },
  });
}

/** The fields of an attendee, as the form shows them. */
export const shownOfAttendee = ({
  name,
  email,
  needs,
  under18,
  guardianName,
  guardianEmail,
}: Enrolment['places'][number]['attendee']) => ({ name, email, needs, under18, guardianName, guardianEmail });

/** The fields of a buyer, as the form shows them. */
export const shownOfBuyer = ({
  buyerName,
  email,
  phone,
  organisation,
  abn,
  address,
  purchaseOrder,
  accountsEmail,
}: Enrolment) => ({ buyerName, email, phone, organisation, abn, address, purchaseOrder, accountsEmail });

const noPlace = 'This person no longer has a place.';
const begun =
  'What this person is enrolled for has begun, so it stays theirs: only their name or address can be corrected. Add the other person instead.';

/**
 * Corrects the buyer's details (P30). With another email address the buyer's links end, and fresh ones are sent there.
 */
export function takeBuyer(academy: Academy, { form, reference, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: buyerForm,
    subject: `enrolment:${reference}`,
    actor,
    act(trx, values, moment) {
      return withEnrolment(trx, reference, async (enrolmentId): Promise<Done> => {
        const now = shownOfBuyer(await readEnrolment(trx, enrolmentId));
        const merged = mergeFields({ typed: values, was: values.was, now }, { labels: enrolmentLabels });
        if (!merged.ok) return merged;
        const { buyerName: name, phone, email } = merged.fields;
        const remark = email === now.email ? null : addressRemark({ ...values, email });
        if (remark) return remark;
        const courseDates = await offeredCourseDates(trx, enrolmentId);
        const correction = { enrolmentId, name, email, phone, payer: payerOf(merged.fields), actor, courseDates };
        const result = await correctBuyer(trx, correction, moment);
        if (!result.ok) return refused(meanwhile);
        const moved = await changeBuyerEmail(trx, { enrolmentId, email }, moment.now);
        if (moved) {
          await followBuyer(trx, { enrolmentId, email, courseDates }, moment);
          await sendLinks(trx, enrolmentId, moment);
        }
        return result.changed || moved ? done('change-buyer') : { ok: true, did: null };
      });
    },
  });
}
