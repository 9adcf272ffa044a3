import { z } from 'zod';
import { findNoteSubject, type NoteSubject } from '#app/features/inbox/note-subjects.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { changeNote, deleteNote, type Note, writeNote } from '#app/features/people/notes.server.ts';
import { common, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { requiredText } from '#app/http/form-texts.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { isNoteAct, type ShownNote } from '#app/ui/staff/notes.tsx';

const note = requiredText('the note').pipe(z.string().max(4000, 'A note has at most 4,000 characters.'));
const noteId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const noteForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('note'), note }),
  z.object({ ...common, act: z.literal('change-note'), note, noteId }),
  z.object({ ...common, act: z.literal('delete-note'), noteId }),
]);

/** Whether a form is one of the forms of notes. */
export const isNoteForm = (form: FormData | null): boolean => isNoteAct(form?.get('act'));

const tooLate = 'Only its author can change a note, and only for 15 minutes. Write another one.';

/**
 * Takes the forms of notes about something (P83). `subject` is the one of the page's other acts. Acts of others since the
 * page was read do not stop a note.
 */
export function takeNoteAct(
  academy: Academy,
  { form, subject, actor }: { form: FormData | null; subject: NoteSubject; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: noteForm,
    subject,
    actor,
    compares: false,
    async act(trx, values, moment) {
      const about = await findNoteSubject(trx, subject);
      if (!about) return { ok: false, reason: 'missing' };
      if (values.act === 'note') {
        await writeNote(trx, { about, text: values.note, actor }, moment);
        return { ok: true, did: null };
      }
      const done =
        values.act === 'change-note'
          ? await changeNote(trx, { about, id: values.noteId, text: values.note, actor }, moment)
          : await deleteNote(trx, { about, id: values.noteId, actor }, moment);
      return done ? { ok: true, did: null } : { ok: false, reason: 'refused', fault: tooLate };
    },
  });
}

/** Notes as pages show them. */
export const shownNotes = (notes: readonly Note[]): ShownNote[] =>
  notes.map(({ text, at, ...rest }) => ({ ...rest, text: showControlCharacters(text), at: formatMoment(at) }));
