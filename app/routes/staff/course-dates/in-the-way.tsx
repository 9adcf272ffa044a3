import { href } from 'react-router';
import { sureLabel, whatOf } from '#app/features/course-dates/clash-words.ts';
import type { Clash } from '#app/features/course-dates/clashes.ts';
import type { InTheWay } from '#app/features/course-dates/plan.server.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { Choice } from '#app/ui/staff/choices.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';

const whatClashes: Record<Clash, string> = {
  instructor: 'Same instructor',
  room: 'Same room',
  course: 'Same course, same days',
};

/** Something in the way of a planned course date, with how, and a link to it. */
export function InWay({ other }: { other: InTheWay }) {
  const { slug, liveHour, clashes } = other;
  const to =
    liveHour === null
      ? slug && href('/staff/course-dates/:slug', { slug })
      : href('/staff/live-hours/:id', { id: String(liveHour) });
  return (
    <p>
      <b className="text-fault">{clashes.map((clash) => whatClashes[clash]).join('. ')}:</b>{' '}
      {to ? <TextLink to={to}>{whatOf(other)}</TextLink> : `${whatOf(other)}, in this list`}
    </p>
  );
}

/**
 * The box by which staff say that a clash is meant; there once the form was refused because of one. Its value names what
 * was in the way, and other clashes make another box, which nobody has ticked.
 */
export function SureBox({ form }: { form: FormState }) {
  const { clashes, sure } = form.values;
  if (!clashes) return null;
  return (
    <div>
      <input type="hidden" name="clashes" value={clashes} />
      <Choice key={clashes} type="checkbox" id="sure" name="sure" value={clashes} defaultChecked={sure === clashes}>
        {sureLabel}
      </Choice>
      {form.errors.sure && <p className="font-semibold text-fault">{form.errors.sure}</p>}
    </div>
  );
}
