/** Letters of a search that are looked at, in Unicode code points: more would only cost time. */
export const longestSearch = 200;
