import type { NotEdited } from '#app/features/content/edit.server.ts';
import { wordsOf } from '#app/features/content/form/kinds.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { inBrisbane, labelOf } from '#app/features/content/words.ts';

/** Why a form of content was refused, in a sentence. */
export function notEditedInWords(not: NotEdited, kind: RecordKind): string {
  const { one } = wordsOf(kind);
  switch (not.reason) {
    case 'missing':
      return `This ${one} does not exist any more.`;
    case 'unchanged':
      return 'There is nothing to save: it is as it was.';
    case 'no-draft':
      return 'There is no draft any more: somebody published it or threw it away.';
    case 'other-draft':
      return 'Somebody kept another draft after you opened this page, so it was not thrown away. Open the page again and read it first.';
    case 'needed':
      return `The website needs this ${one}, so it cannot be retired.`;
    case 'taken':
      return `Another ${one} has, or had, the address or name "${not.key}". Choose another one.`;
    case 'retired':
      return `Somebody retired this ${one} while you were typing. To publish what you typed brings it back. Press again if you want that.`;
    case 'both-changed':
      return 'Somebody else changed the same fields while you were typing. Choose what each is to say.';
    case 'unseen-draft': {
      const what = not.draft.state === 'scheduled' ? 'scheduled another text' : 'kept a draft';
      return `Somebody ${what} while you were typing. It is below, together with what you typed. Read it, then press again.`;
    }
    case 'scheduled':
      return `A text is scheduled for ${inBrisbane(not.publishAt)}. Choose whether it goes out now as well.`;
    case 'not-scheduled':
      return 'Nothing is scheduled any more. Read what is here now, then press again.';
    case 'in-scheduled': {
      const fields = not.fields.map((field) => `“${labelOf(kind, field)}”`);
      return `The scheduled text changes ${fields.join(' and ')} too, so your change there cannot go out without it. Save it, or publish all of it now.`;
    }
    case 'faults':
      return 'It was not published: the check found faults.';
  }
}
