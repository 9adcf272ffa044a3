/** Someone who may see /staff. */
export type Staff = { id: number; name: string; email: string };

/** The person as staff; null when the person has no role. Ids are numbers here, text in better-auth. */
export function toStaff(person: {
  id: string;
  name: string;
  email: string;
  role?: string | null | undefined;
}): Staff | null {
  return person.role ? { id: Number(person.id), name: person.name, email: person.email } : null;
}
