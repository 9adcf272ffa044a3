import type { AttendeeWish } from '#app/features/enrolments/order.ts';
import { attendeesFields, readAttendees } from './schema.ts';
import type { StepForm } from './step-form.ts';

/** Who attends. Names can follow later (P28). */
export const attendeesStep: StepForm = {
  // Names of people beyond the number chosen now stay stored, should the number rise again.
  fields: ({ choice }) => attendeesFields(choice?.attendees ?? 1),
  isComplete: ({ attendees }) => attendees !== null,
  take(_trx, _academy, { values, refuse, opened }) {
    const read = readAttendees(values, opened.choice?.attendees ?? 1);
    return read.ok ? null : refuse(400, { errors: read.errors });
  },
  reviewed: ({ attendees }) => (attendees ?? []).map((attendee, at) => [`Attendee ${at + 1}`, attendeeText(attendee)]),
};

function attendeeText({ name, email, needs, guardian }: AttendeeWish): string {
  const lines = [
    name ?? 'Named later',
    email,
    needs && `Needs: ${needs}`,
    guardian && `Under 18, guardian: ${[guardian.name, guardian.email].filter(Boolean).join(', ')}`,
  ];
  return lines.filter(Boolean).join('\n');
}
