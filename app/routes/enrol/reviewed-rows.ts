import type { Choice, ProductToChoose } from '#app/features/enrolling/choice.ts';
import { courseLines } from '#app/features/enrolling/draft-summary.ts';
import type { StepName } from '#app/features/enrolling/steps.ts';
import type { AttendeeWish, Buyer, Payer } from '#app/features/enrolments/order.ts';
import { formatAbn } from '#app/lib/abn.ts';

export type ReviewSection = { title: string; step: StepName; rows: [name: string, value: string][] };

/** Everything that was filled in, by the step in which it can be changed. */
export function reviewOf({
  product,
  choice,
  attendees,
  payer: { buyer, payer },
}: {
  product: ProductToChoose;
  choice: Choice;
  attendees: readonly AttendeeWish[];
  payer: { buyer: Buyer; payer: Payer };
}): ReviewSection[] {
  const filled = (rows: [string, string | null][]) =>
    rows.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
  return [
    {
      title: 'What',
      step: 'choice',
      rows: [
        ...courseLines(product, choice).map(({ title, lines }): [string, string] => [title, lines.join('\n')]),
        ['Attendees', String(choice.attendees)],
      ],
    },
    {
      title: 'Who attends',
      step: 'attendees',
      rows: attendees.map((attendee, at): [string, string] => [`Attendee ${at + 1}`, attendeeText(attendee)]),
    },
    {
      title: 'Who pays',
      step: 'payer',
      rows: filled([
        ['Name', buyer.name],
        ['Email', buyer.email],
        ['Phone', buyer.phone],
        ...(payer.kind === 'organisation'
          ? ([
              ['Organisation', payer.organisation],
              ['ABN', payer.abn && formatAbn(payer.abn)],
              ['Purchase order', payer.purchaseOrder],
              ['Invoice copy to', payer.accountsEmail],
            ] as [string, string | null][])
          : []),
        ['Postal address', payer.address],
      ]),
    },
  ];
}

function attendeeText({ name, email, needs, guardian }: AttendeeWish): string {
  const lines = [
    name ?? 'Named later',
    email,
    needs && `Needs: ${needs}`,
    guardian && `Under 18, guardian: ${[guardian.name, guardian.email].filter(Boolean).join(', ')}`,
  ];
  return lines.filter(Boolean).join('\n');
}
