import { isDeepStrictEqual } from 'node:util';
import type { Permission } from '#app/lib/permission-names.ts';
import type { RecordFault } from './check-record.ts';
import { fieldsOf } from './form/fields.ts';
import type { RecordKind, RecordValue } from './records.ts';

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
