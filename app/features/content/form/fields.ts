import { z } from 'zod';
import { courseSchema } from '#app/features/content/course-schema.ts';
import { moduleSchema } from '#app/features/content/module-schema.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { contentFiles } from '#app/features/content/schema.ts';
import { slug } from '#app/features/content/schema-parts.ts';
import {
  categoryFields,
  certificationFields,
  certificationGroupFields,
  comboFields,
  examFields,
  instructorFields,
  questLineFields,
  synonymFields,
  trackFields,
} from './catalogue-fields.ts';
import { courseFields, moduleFields } from './course-fields.ts';
import type { Field, FormField, FormWidget, Widget } from './field.ts';
import { settingsFields } from './settings-fields.ts';
import {
  claimFields,
  faqFields,
  heroSlideFields,
  holidayFields,
  pageFields,
  partnerFields,
  promotionFields,
  resourceFields,
} from './site-fields.ts';

const groupSchema = contentFiles.certifications.schema.element;

/** The schema and the fields of each kind of record. The place in a list is added to both by `fieldsOf`. */
export const described: Record<RecordKind, { schema: z.ZodObject; fields: readonly Field[]; listed: boolean }> = {
  course: { schema: courseSchema, fields: courseFields, listed: false },
  module: { schema: moduleSchema, fields: moduleFields, listed: false },
  category: { schema: contentFiles.categories.schema.element, fields: categoryFields, listed: true },
  track: { schema: contentFiles.tracks.schema.element, fields: trackFields, listed: true },
  instructor: { schema: contentFiles.instructors.schema.element, fields: instructorFields, listed: true },
  'certification group': {
    schema: groupSchema.omit({ certifications: true }),
    fields: certificationGroupFields,
    listed: true,
  },
  certification: {
    schema: groupSchema.shape.certifications.element.extend({ group: slug }),
    fields: certificationFields,
    listed: true,
  },
  'quest line': { schema: contentFiles.questLines.schema.element, fields: questLineFields, listed: true },
  combo: { schema: contentFiles.combos.schema.element, fields: comboFields, listed: true },
  promotion: { schema: contentFiles.promotion.schema, fields: promotionFields, listed: false },
  exam: { schema: contentFiles.exams.schema.element, fields: examFields, listed: true },
  claim: { schema: contentFiles.claims.schema.element, fields: claimFields, listed: true },
  page: { schema: contentFiles.pages.schema.element, fields: pageFields, listed: true },
  'faq group': { schema: contentFiles.faq.schema.element, fields: faqFields, listed: true },
  resource: { schema: contentFiles.resources.schema.element, fields: resourceFields, listed: true },
  'hero slide': { schema: contentFiles.heroSlides.schema.element, fields: heroSlideFields, listed: true },
  partner: { schema: contentFiles.partners.schema.element, fields: partnerFields, listed: true },
  'public holiday': { schema: contentFiles.holidays.schema.element, fields: holidayFields, listed: true },
  synonym: { schema: contentFiles.synonyms.schema.element, fields: synonymFields, listed: true },
  site: { schema: contentFiles.site.schema.omit({ asOf: true }), fields: settingsFields, listed: false },
};

const place: FormField = {
  name: 'at',
  label: 'Place in the list',
  widget: { as: 'place' },
  optional: true,
};

/** All fields of a kind with the facts of their schema; for a member of a list its position too. */
export function fieldsOf(kind: RecordKind): readonly FormField[] {
  const known = kept.get(kind);
  if (known) return known;
  const { schema, fields, listed } = describedKind(kind);
  const form = formFields(fields, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  const all = listed ? [...form, place] : form;
  kept.set(kind, all);
  return all;
}
const kept = new Map<RecordKind, readonly FormField[]>();

/** The fields of a form; a published record has none for values that never change after publishing. */
export function fieldsToType(kind: RecordKind, published: boolean): readonly FormField[] {
  return fieldsOf(kind).filter(({ fixed }) => fixed !== 'always' && !(published && fixed === 'once'));
}

/** The rules of one record's own value, its place aside. */
export const schemaOf = (kind: RecordKind): z.ZodObject => describedKind(kind).schema;

/** Whether the records of a kind have places in a list. */
export const isListed = (kind: RecordKind): boolean => describedKind(kind).listed;

function describedKind(kind: RecordKind) {
  if (!Object.hasOwn(described, kind)) throw new Error(`Records of kind "${kind}" have no form`);
  return described[kind as RecordKind];
}

type JsonSchema = {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  maxLength?: number;
  maxItems?: number;
};

function formFields(fields: readonly Field[], schema: JsonSchema): FormField[] {
  return fields.map((field) => {
    const own = schema.properties?.[field.name] ?? {};
    const most = own.maxLength ?? own.maxItems;
    return {
      ...field,
      optional: !schema.required?.includes(field.name),
      ...(most !== undefined && { most }),
      widget: formWidget(field.widget, own),
    };
  });
}

function formWidget(widget: Widget, schema: JsonSchema): FormWidget {
  if (widget.as === 'group') return { ...widget, fields: formFields(widget.fields, schema) };
  if (widget.as === 'list') return { ...widget, fields: formFields(widget.fields, schema.items ?? {}) };
  return widget;
}
