import type { WayToEnrol } from '#app/features/enrolments/choices-for-staff.server.ts';
import { courseBoughtAt, type Study } from '#app/features/money/refund.ts';
import { refundText } from '#app/features/money/refund-words.ts';
import type { Day } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { Options } from '#app/ui/staff/choices.tsx';

/** The field of the way in which a course is taken. */
export const wayFieldOf = (courseId: number) => `way-${courseId}`;

/** The field in which the form sends back what the page showed of a way. */
export const shownFieldOf = (courseId: number, way: string) => `shown-${courseId}-${way}`;

/** A way in which a course can be taken, with what is read to a caller before they accept (P31). */
export type WayToRead = Pick<WayToEnrol, 'value' | 'text' | 'shown'> & {
  read: string;
  /** Invoiced now, by when it is to be paid; null for a way that is due later. */
  invoiced: boolean;
  dueOn: Day | null;
};

/** `priceCents`: for each person, GST included, before a discount by hand; of a combo the share of the course. */
export function wayToRead(
  { value, text, shown, study }: WayToEnrol,
  {
    priceCents,
    combo,
    now,
    dueOf,
  }: { priceCents: Cents; combo: boolean; now: Date; dueOf: (study: Study) => Day | null },
): WayToRead {
  const refund = refundText({ combo, courses: [courseBoughtAt(now, { study, cents: priceCents })] }, now);
  const date = study.way === 'date' ? `${shown.slice(shown.indexOf(':') + 2)}. ` : '';
  const standing =
    study.way !== 'date'
      ? ''
      : study.state === 'tentative'
        ? 'Not confirmed yet: until we confirm it, nothing is due and cancelling is free. '
        : 'Confirmed. ';
  return {
    ...{ value, text, shown, read: `${date}${standing}If they cancel, for each person: ${refund}.` },
    ...{ invoiced: study.way !== 'next-date', dueOn: dueOf(study) },
  };
}

type Props = { form: FormState; courseId: number; label: string; priceCents: Cents; ways: readonly WayToRead[] };

/** How a course is taken, and below it what is read to the caller of each way. */
export function WayField({ form, courseId, label, priceCents, ways }: Props) {
  return (
    <div>
      <SelectField form={form} name={wayFieldOf(courseId)} label={label} required>
        <Options none="Choose how they take it" of={ways.map(({ value, text }) => [value, text])} />
      </SelectField>
      <details className="group mt-1.5">
        <summary className="flex min-h-8 items-center gap-2 font-semibold">
          <Sign name="down" className="size-4 shrink-0 group-open:rotate-180" />
          Read to the caller: dates, and refunds at {formatExact(priceCents)}
        </summary>
        <dl className="grid gap-2 border-t border-rule pt-2">
          {ways.map(({ value, text, shown, read }) => (
            <div key={value}>
              <dt className="font-semibold">{text}</dt>
              <dd className="tabular text-mute">{read}</dd>
              <input type="hidden" name={shownFieldOf(courseId, value)} value={shown} />
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
