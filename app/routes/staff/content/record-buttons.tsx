import { type MouseEvent, useEffect, useRef } from 'react';
import { href } from 'react-router';
import { type Day, formatDayAndMonth } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import { SendButton } from '#app/ui/staff/act-form.tsx';
import { showPreview } from './show-preview.ts';
import { formId } from './typed-form.tsx';

type Props = {
  kind: string;
  id: number;
  hasDraft: boolean;
  previews: boolean;
  faults: number;
  /** Whether visitors see a text of the record now. */
  isPublic: boolean;
  isRetired: boolean;
  /** The day for which a text is scheduled. */
  goesOut: Day | null;
};

/** The buttons of the form; Enter presses the first. */
export function RecordActs({ hasDraft, previews, kind, id, faults, isPublic, isRetired, goesOut }: Props) {
  const bringsBack = isRetired ? 'Publish and bring back' : 'Publish';
  const publish = goesOut ? `Publish all of it now, not on ${formatDayAndMonth(goesOut)}` : bringsBack;
  const left = faults === 1 ? '1 fault' : `${faults} faults`;
  const publishText = faults > 0 ? `${publish}: ${left} left` : publish;
  const preview = href('/staff/content/:kind/:id/preview', { kind, id: String(id) });
  return (
    <>
      <SaveButton />
      {previews && <PreviewButton to={preview} />}
      {goesOut && isPublic && (
        <SendButton form={formId} name="act" value="publish-beside" look="primary">
          Publish only what I change here
        </SendButton>
      )}
      <SendButton
        form={formId}
        name="act"
        value={goesOut ? 'publish-early' : 'publish'}
        look={faults > 0 || goesOut ? 'quiet' : 'primary'}
      >
        {publishText}
      </SendButton>
      {hasDraft && (
        <button
          type="submit"
          form={formId}
          name="act"
          value="discard"
          className="min-h-8 px-2 text-sm font-semibold text-mute hover:text-ink"
        >
          Throw the draft away
        </button>
      )}
    </>
  );
}

/** Saves the form, also by Ctrl S: the form of a course is long, and its buttons are dozens of presses away. */
export function SaveButton({ look = 'quiet' }: { look?: 'quiet' | 'primary' }) {
  const save = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!event.repeat) save.current?.click();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <SendButton ref={save} form={formId} name="act" value="save" look={look} aria-keyshortcuts="Control+S Meta+S">
      Save draft
      <span
        aria-hidden="true"
        className={`ml-2 text-xs font-normal max-lg:hidden ${look === 'quiet' ? 'text-mute' : ''}`}
      >
        Ctrl S
      </span>
    </SendButton>
  );
}

/** Shows the typed form in the preview frame; without scripts the browser does so on its own. */
export function PreviewButton({ to }: { to: string }) {
  function show(event: MouseEvent<HTMLButtonElement>): void {
    const { form } = event.currentTarget;
    if (!form) return;
    event.preventDefault();
    showPreview(form, to);
  }
  return (
    <button
      type="submit"
      form={formId}
      name="act"
      value="preview"
      formAction={to}
      formTarget="preview"
      onClick={show}
      className={button.quiet}
    >
      Preview
    </button>
  );
}
