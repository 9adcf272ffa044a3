import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { mondayField, wayField } from './choice.ts';
import type { Draft } from './drafts.server.ts';

type Aliases = Pick<Snapshot, 'aliases' | 'comboAliases' | 'courseDateAliases'>;

/** A draft with the slugs of today: it keeps its choice when a course or date was renamed since. */
export function withCurrentSlugs(draft: Draft, snapshot: Aliases): Draft {
  return { ...draft, choice: currentChoice(draft.choice, snapshot) };
}

/** The texts of the form of a choice with the slugs of today. */
export function currentChoice(values: FormValues, snapshot: Aliases): FormValues {
  const now = slugsOf(snapshot);
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      if (field === 'item') return [field, now.item(value ?? '')];
      if (field.startsWith(wayField('')))
        return [wayField(now.course(field.slice(wayField('').length))), now.item(value ?? '')];
      if (field.startsWith(mondayField('')))
        return [mondayField(now.course(field.slice(mondayField('').length))), value];
      return [field, value];
    }),
  );
}

function slugsOf({ aliases, comboAliases, courseDateAliases }: Aliases) {
  const course = (slug: string) => aliases.get(slug) ?? slug;
  return {
    course,
    /** Of `course:cissp`, `combo:soc-starter` or `course-date:cissp-melbourne`; any other text as it is. */
    item(text: string): string {
      const [kind, slug = ''] = text.split(':');
      if (kind === 'course') return `course:${course(slug)}`;
      if (kind === 'combo') return `combo:${comboAliases.get(slug) ?? slug}`;
      return kind === 'course-date' ? `course-date:${courseDateAliases.get(slug) ?? slug}` : text;
    },
  };
}
