/** The address that is made from a title: `C++ & Café` becomes `c-plus-plus-and-cafe`; '' for a text without letters or digits. */
export const slugFrom = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll('+', ' plus ')
    .replaceAll('&', ' and ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
