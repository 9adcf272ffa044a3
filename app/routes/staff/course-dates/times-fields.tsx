import { type Delivery, deliveries } from '#app/lib/delivery.ts';
import { SelectField, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { courseDateLabels } from './course-date-labels.ts';

const taught: Record<Delivery, string> = { online: 'Online', 'in-person': 'In a room', both: 'Online and in a room' };
const rooms = ['Brisbane', 'Sydney', 'Melbourne'];

type Props = {
  form: FormState;
  instructors: readonly { slug: string; name: string }[];
};

/** When and where a course date is held. */
export function TimesFields({ form, instructors }: Props) {
  return (
    <>
      <DaysFields form={form} />
      <OtherTimesFields form={form} instructors={instructors} />
    </>
  );
}

/** Its first and its last day. */
export function DaysFields({ form }: { form: FormState }) {
  return (
    <div className="grid items-end gap-4 sm:grid-cols-2">
      <TextField form={form} name="startDate" label={courseDateLabels.startDate} type="date" required />
      <TextField form={form} name="endDate" label={courseDateLabels.endDate} type="date" required />
    </div>
  );
}

/** Who teaches it. */
export function InstructorField({ form, instructors }: Props) {
  return (
    <SelectField form={form} name="instructor" label={courseDateLabels.instructor} required>
      <Options none="Choose" of={instructors.map(({ slug, name }) => [slug, name])} />
    </SelectField>
  );
}

/** What stays the same when only its days change. */
export function OtherTimesFields({ form, instructors }: Props) {
  return (
    <div className="grid items-end gap-4 sm:grid-cols-2">
      <TextField form={form} name="startTime" label={courseDateLabels.startTime} type="time" required />
      <TextField form={form} name="endTime" label={courseDateLabels.endTime} type="time" required />
      <TextField form={form} name="breakMinutes" label={courseDateLabels.breakMinutes} inputMode="numeric" required />
      <InstructorField form={form} instructors={instructors} />
      <SelectField form={form} name="delivery" label={courseDateLabels.delivery} required>
        <Options of={deliveries.map((delivery) => [delivery, taught[delivery]])} />
      </SelectField>
      <SelectField form={form} name="venue" label={courseDateLabels.venue}>
        <Options none="None, online only" of={rooms.map((room) => [room, room])} />
      </SelectField>
      <TextField form={form} name="enrolmentEnds" label={courseDateLabels.enrolmentEnds} type="date" required />
      <TextField
        form={form}
        name="decidedBy"
        label={courseDateLabels.decidedBy}
        hint="At least 14 days before the first day. If you leave it empty, the course date is confirmed."
        type="date"
      />
    </div>
  );
}
