/** Common amenities in the languages of the page. */
import type { Locale } from "./languages.ts";

type InLanguages = Readonly<Record<Locale["language"], string>>;

function said(en: string, de: string, es: string, fr: string, it: string, pt: string): InLanguages {
  return { en, de, es, fr, it, pt };
}

const POOL = said("Pool", "Pool", "Piscina", "Piscine", "Piscina", "Piscina");
const WIFI = said("Wi-Fi", "WLAN", "Wi-Fi", "Wi-Fi", "Wi-Fi", "Wi-Fi");

const NAMES: Readonly<Record<string, InLanguages>> = {
  air_conditioning: said(
    ...(["Air conditioning", "Klimaanlage", "Aire acondicionado"] as const),
    ...(["Climatisation", "Aria condizionata", "Ar condicionado"] as const),
  ),
  bar: said("Bar", "Bar", "Bar", "Bar", "Bar", "Bar"),
  bathtub: said("Bathtub", "Badewanne", "Bañera", "Baignoire", "Vasca da bagno", "Banheira"),
  business_center: said(
    ...(["Business centre", "Businesscenter", "Centro de negocios"] as const),
    ...(["Centre d’affaires", "Business center", "Centro de negócios"] as const),
  ),
  coffee_machine: said(
    ...(["Coffee machine", "Kaffeemaschine", "Cafetera"] as const),
    ...(["Machine à café", "Macchina da caffè", "Máquina de café"] as const),
  ),
  cot: said("Cot", "Kinderbett", "Cuna", "Lit bébé", "Culla", "Berço"),
  fitness_center: said(
    ...(["Gym", "Fitnessraum", "Gimnasio", "Salle de sport", "Palestra", "Ginásio"] as const),
  ),
  hair_dryer: said(
    ...(["Hair dryer", "Haartrockner", "Secador", "Sèche-cheveux"] as const),
    ...(["Asciugacapelli", "Secador"] as const),
  ),
  kettle: said("Kettle", "Wasserkocher", "Hervidor", "Bouilloire", "Bollitore", "Chaleira"),
  laundry_service: said(
    ...(["Laundry", "Wäscheservice", "Lavandería", "Blanchisserie"] as const),
    ...(["Lavanderia", "Lavandaria"] as const),
  ),
  minibar: said("Minibar", "Minibar", "Minibar", "Minibar", "Minibar", "Minibar"),
  parking: said("Parking", "Parkplatz", "Aparcamiento", "Parking", "Parcheggio", "Estacionamento"),
  pool: POOL,
  swimming_pool: POOL,
  restaurant: said(
    ...(["Restaurant", "Restaurant", "Restaurante", "Restaurant"] as const),
    ...(["Ristorante", "Restaurante"] as const),
  ),
  room_service: said(
    ...(["Room service", "Zimmerservice", "Servicio de habitaciones"] as const),
    ...(["Service en chambre", "Servizio in camera", "Serviço de quartos"] as const),
  ),
  safe: said("Safe", "Safe", "Caja fuerte", "Coffre-fort", "Cassaforte", "Cofre"),
  spa: said("Spa", "Spa", "Spa", "Spa", "Spa", "Spa"),
  tv: said("TV", "Fernseher", "Televisión", "Télévision", "TV", "Televisão"),
  wheelchair_accessible: said(
    ...(["Wheelchair accessible", "Rollstuhlgerecht"] as const),
    ...(["Accesible en silla de ruedas", "Accessible en fauteuil roulant"] as const),
    ...(["Accessibile in sedia a rotelle", "Acessível a cadeiras de rodas"] as const),
  ),
  wifi: WIFI,
  free_wifi: WIFI,
};

/** Name of an amenity: translated if known, else as the hotel wrote it. */
export function amenityIn(name: string, { language }: Locale): string {
  const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (known) return known[language];
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
