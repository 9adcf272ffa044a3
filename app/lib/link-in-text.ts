const schemes = ['://', 'www.', '@'];
const endings = /\.(?:com|org|au|io|info|biz|top|xyz|ru|cn|link|site|online|shop|app|dev|co)(?![\p{L}\d])/iu;
const nameCharacters = /^[\p{L}\p{M}' .,’-]+$/u;
const dotInWord = /\.\p{L}/u;

/** Whether a line has what mail programs make a link of: a web address, or an email address. */
export const hasLink = (text: string): boolean =>
  schemes.some((scheme) => text.toLowerCase().includes(scheme)) || endings.test(text);

/** Whether a line can be the name of a person, and of nothing that can be followed or called (P24). */
export const canBeName = (text: string): boolean => nameCharacters.test(text) && !dotInWord.test(text);
