import { useContext } from 'react';
import { field } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, MayContext, OnlyWith, SendButton } from './act-form.tsx';
import { Section } from './page-head.tsx';

/** A note as a page shows it; `mine`: its reader wrote it a short time ago and can still change it. */
export type ShownNote = { id: number; by: string; text: string; at: string; edited: boolean; mine: boolean };

const noteActs: readonly unknown[] = ['note', 'change-note', 'delete-note'];

/** Whether an act is one of the acts of notes. */
export const isNoteAct = (act: unknown): boolean => noteActs.includes(act);

/** Whether a refused form is one of the forms of notes. */
export const isOfNotes = ({ values }: FormState): boolean => isNoteAct(values.act);

type FieldProps = {
  form: FormState;
  /** The address for its act, when it is not the page's own. */
  to?: string;
};

/** The field for a note to colleagues; nobody else ever reads it. */
export function NoteField({ form, to }: FieldProps) {
  const mine = form.values.act === 'note';
  const error = mine ? form.errors.note : undefined;
  return (
    <ActForm act="note" form={form} to={to} needs="notes:write" className="flex flex-wrap items-start gap-2 pt-3">
      <label className="min-w-48 flex-1">
        <span className="sr-only">Note for colleagues</span>
        <textarea
          id="note"
          name="note"
          rows={1}
          maxLength={4000}
          placeholder="Note for colleagues"
          defaultValue={mine ? form.values.note : ''}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'note-error' : undefined}
          className={`${field} field-sizing-content w-full resize-y`}
        />
      </label>
      <SendButton>Add</SendButton>
      {error && (
        <p id="note-error" className="w-full text-sm font-semibold text-fault">
          {error}
        </p>
      )}
    </ActForm>
  );
}

/** Changes or deletes a note that the reader wrote a short time ago. */
export function OwnNote({ note, form, to }: FieldProps & { note: ShownNote }) {
  if (!note.mine) return null;
  const open = form.values.act === 'change-note' && form.values.noteId === String(note.id);
  return (
    <OnlyWith permission="notes:write">
      <details open={open} className="text-sm">
        <summary className="w-fit cursor-pointer text-link">
          Change<span className="sr-only"> the note of {note.at}</span>
        </summary>
        <ActForm
          act="change-note"
          id={null}
          form={form}
          to={to}
          needs="notes:write"
          carries={{ noteId: note.id }}
          className="mt-1 flex flex-wrap items-start gap-2"
          submit="Save"
        >
          <label className="min-w-48 flex-1">
            <span className="sr-only">Note</span>
            <textarea
              name="note"
              rows={2}
              maxLength={4000}
              defaultValue={open ? form.values.note : note.text}
              className={`${field} w-full`}
            />
          </label>
        </ActForm>
        <ActForm
          act="delete-note"
          id={null}
          form={form}
          to={to}
          needs="notes:write"
          carries={{ noteId: note.id }}
          className="mt-1"
          look="danger"
          submit="Delete it"
        />
        <p className="mt-1 text-mute">You can change or delete a note for 15 minutes.</p>
      </details>
    </OnlyWith>
  );
}

/** The notes about something with the field for another: for pages without a timeline. Nothing where there are none to read. */
export function Notes({ notes, form, to }: FieldProps & { notes: readonly ShownNote[] }) {
  const mayWrite = useContext(MayContext).has('notes:write');
  if (notes.length === 0 && !mayWrite) return null;
  return (
    <Section title="Notes" beside="for colleagues; never sent to anybody" id="notes">
      <NoteField form={form} to={to} />
      <ol className="grid gap-3 pt-3">
        {notes.toReversed().map((note) => (
          <li key={note.id}>
            <p className="text-sm">
              <b>{note.by}</b> <span className="text-mute">{note.edited ? `${note.at}, changed since` : note.at}</span>
            </p>
            <p className="mt-1 rounded-control bg-straw-tint px-3 py-2 wrap-anywhere whitespace-pre-wrap">
              {note.text}
            </p>
            <OwnNote note={note} form={form} to={to} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
