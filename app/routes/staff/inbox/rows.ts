/** The rows of the inbox in an element, in their order. */
export const rowsOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(':scope > ul > li') ?? []),
];

/** The link of a row to its subject. */
export const linkOf = (row: HTMLElement | undefined) => row?.querySelector('a') ?? null;
