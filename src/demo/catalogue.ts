/**
 * The places demo hotels stand in: 12 cities of 8 countries, 5 currencies (JPY has no minor units)
 * and 9 time zones, all but one with daylight saving. Districts, streets, post codes and
 * coordinates are real, so that addresses and map pins agree; telephone numbers come from ranges
 * kept free for fiction wherever a country has one.
 */

export type Country = "ES" | "DE" | "FR" | "IT" | "GB" | "US" | "JP" | "CH";

/** Name, post code, latitude, longitude, street with `{}` for the house number. */
export type District = readonly [string, string, number, number, string];

export interface City {
  readonly name: string;
  readonly region: string;
  readonly country: Country;
  readonly currency: string;
  readonly timezone: string;
  /** E.164 without the last three digits. */
  readonly phonePrefix: string;
  /** One night in a three-star double, average season, minor units. */
  readonly baseAmountMinor: number;
  /** Percent of the average price, January to December. */
  readonly seasonPct: readonly number[];
  /** Percent of the weekday price on Friday and Saturday; below 100 in business cities. */
  readonly weekendPct: number;
  readonly districts: readonly District[];
}

const BEACH_SEASON = [72, 78, 90, 102, 112, 122, 130, 132, 118, 104, 82, 80];
const CITY_SEASON = [80, 84, 94, 104, 112, 114, 106, 98, 116, 110, 90, 102];
const NORTH_SEASON = [70, 74, 86, 98, 110, 118, 126, 140, 112, 98, 80, 96];
const BLOSSOM_SEASON = [84, 88, 124, 132, 108, 92, 96, 98, 94, 112, 118, 96];

/** The first city is the scenario property's; hotels are dealt to the cities in turn. */
export const CITIES: readonly City[] = [
  {
    name: "Barcelona",
    region: "Catalonia",
    country: "ES",
    currency: "EUR",
    timezone: "Europe/Madrid",
    phonePrefix: "+34935550",
    baseAmountMinor: 12900,
    seasonPct: BEACH_SEASON,
    weekendPct: 115,
    districts: [
      ["Gràcia", "08012", 41.4036, 2.1563, "Carrer de Verdi {}"],
      ["Eixample", "08008", 41.3925, 2.162, "Carrer de Provença {}"],
      ["El Born", "08003", 41.3851, 2.1831, "Carrer de la Princesa {}"],
      ["Poblenou", "08005", 41.401, 2.203, "Rambla del Poblenou {}"],
      ["Sants", "08014", 41.376, 2.137, "Carrer de Sants {}"],
    ],
  },
  {
    name: "London",
    region: "England",
    country: "GB",
    currency: "GBP",
    timezone: "Europe/London",
    phonePrefix: "+442079460",
    baseAmountMinor: 14500,
    seasonPct: CITY_SEASON,
    weekendPct: 108,
    districts: [
      ["Shoreditch", "E1 6JE", 51.524, -0.077, "{} Shoreditch High Street"],
      ["Bloomsbury", "WC1B 4DA", 51.5195, -0.1215, "{} Southampton Row"],
      ["South Kensington", "SW7 4QH", 51.494, -0.183, "{} Gloucester Road"],
      ["Southwark", "SE1 1JA", 51.503, -0.091, "{} Borough High Street"],
      ["Marylebone", "W1U 6AB", 51.5195, -0.156, "{} Baker Street"],
    ],
  },
  {
    name: "New York",
    region: "NY",
    country: "US",
    currency: "USD",
    timezone: "America/New_York",
    phonePrefix: "+12125550",
    baseAmountMinor: 21000,
    seasonPct: [68, 70, 86, 102, 114, 112, 100, 98, 122, 124, 108, 126],
    weekendPct: 106,
    districts: [
      ["SoHo", "10012", 40.724, -73.998, "{} Spring Street"],
      ["Chelsea", "10011", 40.7435, -73.996, "{} West 23rd Street"],
      ["Midtown", "10036", 40.7575, -73.985, "{} West 45th Street"],
      ["Tribeca", "10013", 40.719, -74.005, "{} Franklin Street"],
      ["Upper West Side", "10023", 40.777, -73.979, "{} Columbus Avenue"],
    ],
  },
  {
    name: "Tokyo",
    region: "Tokyo",
    country: "JP",
    currency: "JPY",
    timezone: "Asia/Tokyo",
    phonePrefix: "+81355500",
    baseAmountMinor: 17000,
    seasonPct: BLOSSOM_SEASON,
    weekendPct: 118,
    districts: [
      ["Shinjuku", "160-0023", 35.692, 139.695, "3-{} Nishi-Shinjuku"],
      ["Asakusa", "111-0032", 35.714, 139.795, "2-{} Asakusa"],
      ["Ginza", "104-0061", 35.6715, 139.765, "4-{} Ginza"],
      ["Shibuya", "150-0041", 35.664, 139.6995, "1-{} Jinnan"],
      ["Ueno", "110-0005", 35.709, 139.774, "5-{} Ueno"],
    ],
  },
  {
    name: "Berlin",
    region: "Berlin",
    country: "DE",
    currency: "EUR",
    timezone: "Europe/Berlin",
    phonePrefix: "+493023125",
    baseAmountMinor: 10500,
    seasonPct: CITY_SEASON,
    weekendPct: 110,
    districts: [
      ["Mitte", "10119", 52.529, 13.401, "Torstraße {}"],
      ["Kreuzberg", "10999", 52.499, 13.418, "Oranienstraße {}"],
      ["Charlottenburg", "10623", 52.505, 13.322, "Kantstraße {}"],
      ["Prenzlauer Berg", "10435", 52.539, 13.412, "Kastanienallee {}"],
      ["Friedrichshain", "10245", 52.511, 13.456, "Boxhagener Straße {}"],
    ],
  },
  {
    name: "Paris",
    region: "Île-de-France",
    country: "FR",
    currency: "EUR",
    timezone: "Europe/Paris",
    phonePrefix: "+33199000",
    baseAmountMinor: 16500,
    seasonPct: CITY_SEASON,
    weekendPct: 106,
    districts: [
      ["Marais", "75003", 48.863, 2.362, "{} Rue de Bretagne"],
      ["Saint-Germain", "75006", 48.852, 2.333, "{} Rue Bonaparte"],
      ["Montmartre", "75018", 48.8865, 2.338, "{} Rue Lepic"],
      ["Bastille", "75011", 48.853, 2.375, "{} Rue de Charonne"],
      ["Opéra", "75009", 48.8745, 2.337, "{} Rue La Fayette"],
    ],
  },
  {
    name: "Zurich",
    region: "ZH",
    country: "CH",
    currency: "CHF",
    timezone: "Europe/Zurich",
    phonePrefix: "+41445550",
    baseAmountMinor: 19500,
    seasonPct: CITY_SEASON,
    weekendPct: 84,
    districts: [
      ["Altstadt", "8001", 47.374, 8.544, "Niederdorfstrasse {}"],
      ["Seefeld", "8008", 47.36, 8.554, "Seefeldstrasse {}"],
      ["Enge", "8002", 47.363, 8.527, "Bederstrasse {}"],
      ["Wiedikon", "8003", 47.371, 8.515, "Birmensdorferstrasse {}"],
      ["Oerlikon", "8050", 47.411, 8.544, "Schaffhauserstrasse {}"],
    ],
  },
  {
    name: "Rome",
    region: "Lazio",
    country: "IT",
    currency: "EUR",
    timezone: "Europe/Rome",
    phonePrefix: "+390655501",
    baseAmountMinor: 14000,
    seasonPct: CITY_SEASON,
    weekendPct: 112,
    districts: [
      ["Trastevere", "00153", 41.889, 12.469, "Via della Lungaretta {}"],
      ["Monti", "00184", 41.895, 12.494, "Via Panisperna {}"],
      ["Prati", "00192", 41.908, 12.464, "Via Cola di Rienzo {}"],
      ["Esquilino", "00185", 41.896, 12.501, "Via Merulana {}"],
      ["Testaccio", "00153", 41.878, 12.479, "Via Marmorata {}"],
    ],
  },
  {
    name: "Chicago",
    region: "IL",
    country: "US",
    currency: "USD",
    timezone: "America/Chicago",
    phonePrefix: "+13125550",
    baseAmountMinor: 16500,
    seasonPct: NORTH_SEASON,
    weekendPct: 110,
    districts: [
      ["Loop", "60603", 41.881, -87.6275, "{} South State Street"],
      ["River North", "60654", 41.892, -87.631, "{} North Clark Street"],
      ["West Loop", "60607", 41.8845, -87.65, "{} West Randolph Street"],
      ["Lincoln Park", "60614", 41.918, -87.6485, "{} North Halsted Street"],
      ["Gold Coast", "60611", 41.896, -87.626, "{} North Rush Street"],
    ],
  },
  {
    name: "Madrid",
    region: "Community of Madrid",
    country: "ES",
    currency: "EUR",
    timezone: "Europe/Madrid",
    phonePrefix: "+34915550",
    baseAmountMinor: 11500,
    seasonPct: [86, 88, 98, 106, 114, 110, 88, 78, 108, 112, 98, 100],
    weekendPct: 108,
    districts: [
      ["Malasaña", "28004", 40.4265, -3.704, "Calle de Fuencarral {}"],
      ["Salamanca", "28001", 40.4255, -3.686, "Calle de Serrano {}"],
      ["Chamberí", "28010", 40.434, -3.7005, "Calle de Trafalgar {}"],
      ["La Latina", "28005", 40.4105, -3.711, "Calle de Toledo {}"],
      ["Retiro", "28009", 40.419, -3.677, "Calle de Ibiza {}"],
    ],
  },
  {
    name: "Edinburgh",
    region: "Scotland",
    country: "GB",
    currency: "GBP",
    timezone: "Europe/London",
    phonePrefix: "+441314960",
    baseAmountMinor: 12000,
    seasonPct: NORTH_SEASON,
    weekendPct: 118,
    districts: [
      ["Old Town", "EH1 1TB", 55.95, -3.189, "{} High Street"],
      ["New Town", "EH2 1JX", 55.955, -3.197, "{} Queen Street"],
      ["Leith", "EH6 7BS", 55.974, -3.169, "{} Constitution Street"],
      ["Stockbridge", "EH4 1HU", 55.959, -3.212, "{} Raeburn Place"],
      ["Haymarket", "EH3 8DH", 55.944, -3.213, "{} Morrison Street"],
    ],
  },
  {
    name: "Munich",
    region: "Bavaria",
    country: "DE",
    currency: "EUR",
    timezone: "Europe/Berlin",
    phonePrefix: "+498999998",
    baseAmountMinor: 12500,
    seasonPct: [86, 84, 92, 98, 104, 106, 108, 104, 138, 122, 92, 104],
    weekendPct: 94,
    districts: [
      ["Maxvorstadt", "80333", 48.148, 11.568, "Theresienstraße {}"],
      ["Schwabing", "80801", 48.16, 11.583, "Hohenzollernstraße {}"],
      ["Haidhausen", "81667", 48.13, 11.599, "Weißenburger Straße {}"],
      ["Glockenbach", "80469", 48.13, 11.574, "Müllerstraße {}"],
      ["Ludwigsvorstadt", "80336", 48.136, 11.557, "Schwanthalerstraße {}"],
    ],
  },
];
