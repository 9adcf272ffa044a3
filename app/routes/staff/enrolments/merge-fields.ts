import type { Refused } from '#app/features/people/staff-act.server.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';

/** The hidden field with what a form showed of its fields when it was opened. */
export const wasField = 'was';

type Field = string | boolean | null;
type Fields = Record<string, Field>;

const text = (value: Field | undefined): string => (value === true ? 'on' : value ? value : '');

/** What a form shows, for its hidden field. */
export const shownFields = (fields: Fields): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)])));

/**
 * Takes of a form only what was changed in it: everybody else, buyers too, may have changed other fields since it was
 * opened. A field that both changed, each in its own way, is refused, and so is every change of a `whole`, such as a person,
 * of which any field changed meanwhile. The form then shows what others wrote, and sent again it counts.
 */
export function mergeFields<Typed extends Fields>(
  { typed, was, now }: { typed: Typed; was: string; now: Typed },
  { whole = [], labels }: { whole?: readonly (keyof Typed & string)[]; labels: Readonly<Record<string, string>> },
): { ok: true; fields: Typed } | Refused {
  const shown = fieldsIn(was);
  // A form without it counts as a whole.
  if (shown === null) return { ok: true, fields: typed };
  const names = Object.keys(now) as (keyof Typed & string)[];
  const isTyped = (name: string) => text(typed[name]) !== (shown[name] ?? '');
  const isOthers = (name: string) => text(now[name]) !== (shown[name] ?? '');
  const isBoth = (name: string) => isTyped(name) && isOthers(name) && text(typed[name]) !== text(now[name]);
  const conflicts = names.filter((name) => isBoth(name) || (whole.includes(name) && isOthers(name)));
  const fields = Object.fromEntries(
    names.map((name) => [name, isTyped(name) ? typed[name] : now[name]]),
  ) as unknown as Typed;
  if (conflicts.length === 0) return { ok: true, fields };
  const errors: FieldErrors = Object.fromEntries(
    conflicts.map((name) => [
      name,
      `Somebody changed this in the meantime, to ${text(now[name]) === '' ? 'nothing' : `“${text(now[name])}”`}.`,
    ]),
  );
  const values: FormValues = Object.fromEntries(names.map((name) => [name, text(fields[name])]));
  const what = conflicts.map((name) => labels[name] ?? name).join(', ');
  return {
    ok: false,
    reason: 'refused',
    fault: `Somebody changed this after you opened the page: ${what}. Look at the fields, then send it again.`,
    errors,
    values: { ...values, [wasField]: shownFields(now) },
  };
}

function fieldsIn(json: string): Record<string, string> | null {
  try {
    const fields: unknown = JSON.parse(json);
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, string>) : null;
  } catch {
    return null;
  }
}
