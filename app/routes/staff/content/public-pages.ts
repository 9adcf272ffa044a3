import { href } from 'react-router';
import type { EditableKind } from '#app/features/content/form/kinds.ts';
import type { RecordValue } from '#app/features/content/records.ts';

const text = (value: unknown) => String(value ?? '');

const pages: Record<EditableKind, (value: RecordValue) => string | null> = {
  course: ({ slug }) => href('/course/:courseId', { courseId: text(slug) }),
  module: () => null,
  certification: ({ slug }) => href('/certifications/:certificationId', { certificationId: text(slug) }),
  'certification group': () => href('/certifications'),
  'quest line': ({ slug }) => href('/quest-lines/:questLineId', { questLineId: text(slug) }),
  combo: () => href('/combos'),
  category: () => href('/courses'),
  track: () => href('/'),
  instructor: () => href('/about'),
  exam: () => null,
  page: ({ slug }) => `/${text(slug)}`,
  'faq group': () => href('/faq'),
  resource: ({ slug }) => href('/free-resources/:resourceId', { resourceId: text(slug) }),
  'hero slide': () => href('/'),
  partner: () => href('/'),
  claim: () => href('/claims'),
  promotion: () => href('/'),
  'public holiday': () => null,
  synonym: ({ typed }) => `${href('/courses')}?search=${encodeURIComponent(text(typed))}`,
  site: () => href('/contact'),
};

/** The public page of a record; null when it has none of its own. */
export const publicPageOf = (kind: EditableKind, value: RecordValue): string | null => pages[kind](value);
