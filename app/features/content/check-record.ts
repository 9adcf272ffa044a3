import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Permission } from '#app/lib/permission-names.ts';
import { datedTextFaults } from './check/dated-texts.ts';
import { qualityFaults } from './check/quality.ts';
import { examCodeFaults, missingSources, synonymFaults } from './check/references.ts';
import { completionFaults, guidedStudyFaults } from './check/teaching.ts';
import { fieldsOf, schemaOf } from './form/fields.ts';
import { typedTwiceFaults } from './placeholders.ts';
import { keyOfValue, kindOfList, type RecordedContent, type RecordKind, type RecordValue } from './records.ts';
import type { CrossFault } from './schema.ts';

/** A fault of a record at a path inside its value; `message` follows the name of the field. */
export type RecordFault = { path: PropertyKey[]; message: string };

/** The faults of a value by the schema of its kind, without the position in a list. */
export function schemaFaults(kind: RecordKind, value: RecordValue): RecordFault[] {
  const { at: _, ...own } = value;
  const parsed = schemaOf(kind).safeParse(own, { reportInput: true });
  if (parsed.success) return [];
  const faults = parsed.error.issues.map((issue) => ({ path: issue.path, message: inWords(issue) }));
  const isMissing = (path: PropertyKey[]) => faults.some((one) => one.message === missing && samePath(one.path, path));
  return faults.filter(
    (fault, at) =>
      faults.findIndex((other) => sameFault(fault, other)) === at &&
      (fault.message === missing || !isMissing(fault.path)),
  );
}

/** Several rules can miss the same value. */
const sameFault = (a: RecordFault, b: RecordFault) => a.message === b.message && samePath(a.path, b.path);
const samePath = (a: PropertyKey[], b: PropertyKey[]) => a.join('.') === b.join('.');

const missing = 'is missing';

/** An issue as staff read it; a field left empty is missing, whatever else its rule asks for. */
function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom' && (issue.input === undefined || issue.input === '')) return missing;
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
      return boundInWords(issue);
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? 'must be a number' : missing;
    case 'invalid_value':
      return issue.values.length > 8 ? 'must be one of the choices' : `must be one of: ${issue.values.join(', ')}`;
    case 'not_multiple_of':
      return issue.divisor === 0.01 ? 'has more than two decimals' : `must be in steps of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has fields that the program does not know: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? 'is not written as it must be' : issue.message;
    default:
      return issue.message;
  }
}

function boundInWords(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [bound, way] =
    issue.code === 'too_small'
      ? [issue.minimum, issue.inclusive === false ? 'more than' : 'at least']
      : [issue.maximum, issue.inclusive === false ? 'less than' : 'at most'];
  if (issue.origin === 'string') {
    const length = typeof issue.input === 'string' ? `; it has ${issue.input.length}` : '';
    return `must have ${way} ${bound} characters${length}`;
  }
  if (issue.origin === 'array' && issue.code === 'too_small' && Number(bound) === 1) return missing;
  if (issue.origin === 'array') return `must have ${way} ${bound} of them`;
  return `must be ${way} ${bound}`;
}

/** The shortcomings of a sound record by the academy's own standard; it can be published with them. */
export function shortcomingsOf(content: RecordedContent, record: { kind: RecordKind; key: string }): RecordFault[] {
  const around = aroundRecord(content, record);
  const ofWhole = [...qualityFaults(content), ...(record.kind === 'synonym' ? synonymFaults(content) : [])];
  const ofTexts = [
    ...guidedStudyFaults(around.courses),
    ...completionFaults(around.courses),
    ...missingSources(around),
    ...typedTwiceFaults(around),
    ...examCodeFaults(around),
    ...datedTextFaults(around),
  ];
  const located = [
    ...ofWhole.map((fault) => [content, fault] as const),
    ...ofTexts.map((fault) => [around, fault] as const),
  ];
  return located.flatMap(([whole, fault]) => {
    const at = recordAt(whole, fault);
    return at?.kind === record.kind && at.key === record.key ? [{ path: at.path, message: fault.message }] : [];
  });
}

/** The content without the texts of other records, because reading all of them takes a while. */
function aroundRecord(content: RecordedContent, { kind, key }: { kind: RecordKind; key: string }): RecordedContent {
  if (kind !== 'course') return { ...content, courses: [] };
  return {
    ...content,
    courses: content.courses.filter(({ slug }) => slug === key),
    certifications: [],
    heroSlides: [],
    questLines: [],
    claims: [],
    pages: [],
    faq: [],
    resources: [],
  };
}

/** The record in which a fault of the whole content lies; null for one of the content as a whole. */
export function recordAt(
  content: RecordedContent,
  { file, path }: CrossFault,
): { kind: RecordKind; key: string; path: PropertyKey[] } | null {
  if ('course' in file) {
    const course = content.courses[file.course];
    return course ? { kind: 'course', key: course.slug, path } : null;
  }
  const [at, inner, within, ...rest] = path;
  if (file.name === 'site' || file.name === 'promotion') {
    return path.length > 0 ? { kind: file.name, key: file.name, path } : null;
  }
  if (file.name === 'courseDates') return null;
  if (file.name === 'certifications') {
    const group = content.certifications[Number(at)];
    if (!group) return null;
    const certification = inner === 'certifications' ? group.certifications[Number(within)] : undefined;
    return certification
      ? { kind: 'certification', key: certification.slug, path: rest }
      : { kind: 'certification group', key: group.slug, path: path.slice(1) };
  }
  const member = content[file.name][Number(at)];
  const kind = kindOfList(file.name);
  return member && kind ? { kind, key: keyOfValue(kind, { ...member }), path: path.slice(1) } : null;
}

type Change = { before: RecordValue | undefined; after: RecordValue };

/** The permissions, beside those for content, that publishing a change needs; each with the fields that need it. */
export function permissionsNeeded(kind: RecordKind, { before, after }: Change): Map<Permission, string[]> {
  const needed = new Map<Permission, string[]>();
  for (const { name, needs } of fieldsOf(kind)) {
    if (!needs || isDeepStrictEqual(before?.[name], after[name])) continue;
    needed.set(needs, [...(needed.get(needs) ?? []), name]);
  }
  return needed;
}

/** The faults of a change for somebody with these permissions: fields of which they may only keep a draft. */
export function permissionFaults(kind: RecordKind, change: Change, can: ReadonlySet<Permission>): RecordFault[] {
  return [...permissionsNeeded(kind, change)]
    .filter(([permission]) => !can.has(permission))
    .flatMap(([, names]) => names)
    .map((name) => ({
      path: [name],
      message: 'can only be published by an owner. Save it as a draft, and ask an owner to publish it',
    }));
}
