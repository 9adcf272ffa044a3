import { data } from 'react-router';
import { type Asker, withTemplate } from '#app/features/inbox/answer-fields.ts';
import { templatesFor } from '#app/features/inbox/templates.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';

/** Whether an answer's form asks for a template, and is not to be sent yet. */
export const asksForTemplate = (form: FormData | null): boolean => form?.has('fill') ?? false;

/**
 * Gives the form of an answer back with the template that it names below what was typed, for browsers without scripts
 * (P81). Nothing is stored, and what was typed stands in no address.
 */
export async function fillAnswer(
  { db, academy }: Academy,
  { form, actor, asker }: { form: FormData | null; actor: StaffActor; asker: Asker },
) {
  const typed = textsOf(form);
  const templates = await actOr503(unconfirmed, () => templatesFor(db, asker, { actor, website: academy().url }));
  const chosen = templates.find(({ id }) => String(id) === typed.template);
  const { seen = '', fill: _, ...kept } = typed;
  const answer = chosen ? withTemplate(typed.answer ?? '', chosen.text) : (typed.answer ?? '');
  const filled = blankStaffForm(Number(/^\d{1,15}$/.exec(seen)?.[0] ?? 0), { ...kept, answer });
  if (chosen) return data({ form: filled, stale: false });
  const errors = { template: 'Choose a template that is in use.' };
  return data({ form: { ...filled, errors }, stale: false }, { status: 400 });
}
