/** The rows of the inbox in an element, in their order. */
export const rowsOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(':scope > ul > li') ?? []),
];

/** The link of a row, which leads to what it is about. */
export const linkOf = (row: HTMLElement | undefined) => row?.querySelector('a') ?? null;
