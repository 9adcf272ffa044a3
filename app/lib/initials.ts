/** The first letters of a person's first two names. */
export function initialsOf(name: string): string {
  return name
    .split(/[\s-]+/)
    .map((word) => word[0])
    .join('')
    .slice(0, 2);
}
