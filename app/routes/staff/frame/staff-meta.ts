/** The title of a page for staff. It has no description: no search engine is to list it. */
export function staffMeta(title: string) {
  return [{ title: `${title} | Bowerbird staff` }];
}
