const longest = 100;

/** What an address searches for: valid text of at most 100 characters. */
export const searchText = (params: URLSearchParams): string =>
  (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, longest);
