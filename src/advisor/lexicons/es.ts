import type { Lexicon } from "../lexicon.ts";

export const es: Lexicon = {
  hints:
    "el la los las un una unos de del que quien cual cuales cuanto cuanta cuantos cuantas como cuando " +
    "donde hay tiene tienen tienes es esta estan y o con para por en al se puede puedo podemos " +
    "hotel habitacion habitaciones noche noches desayuno precio gratis ninos nino perro perros " +
    "mascotas adultos personas libre manana proximo fin semana desde hasta cuesta incluido hora " +
    "cancelar cancelacion aparcamiento piscina mi mas barata barato quiero dos tres",
  months: [
    ...["ene(?:ro)?", "feb(?:rero)?", "mar(?:zo)?", "abr(?:il)?", "may(?:o)?", "jun(?:io)?"],
    ...["jul(?:io)?", "ago(?:sto)?", "sept?(?:iembre)?|setiembre", "oct(?:ubre)?"],
    ...["nov(?:iembre)?", "dic(?:iembre)?"],
  ],
  weekdays: ["lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"],
  numbers: [
    ...["un[oa]?", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"],
    ...["once", "doce"],
  ],
  dates: {
    today: /\bhoy\b|\besta noche\b/,
    tomorrow: /(?<!(?:la|por la|de la|esta) )\bmanana\b/,
    dayAfterTomorrow: /\bpasado manana\b/,
    inDays: "\\b(?:en|dentro de) # dias?\\b",
    inWeeks: "\\b(?:en|dentro de) # semanas?\\b",
    weekend: /\bfin(?:es)? de semana\b|\bfinde\b/,
    nextWeekend:
      /\b(?:proximo|siguiente) (?:fin de semana|finde)\b|\b(?:fin de semana|finde) (?:que viene|proximo)\b/,
    weekendAfter: /\bfin de semana (?:siguiente|despues)\b/,
    vague:
      /\b(?:proxim[oa]|est[ea]) (?:semana|mes|ano|verano|invierno|primavera|otono)\b|\b(?:semana|mes|ano) que viene\b|\ben (?:verano|invierno|primavera|otono)\b|navidad|nochevieja|semana santa/,
    until: /\bhasta\b/,
    nights: "noches?",
    days: "dias?",
    forWeeks: "\\b(?:por |para |durante )?# semanas?\\b",
  },
  party: {
    adults: "adult[oa]s?|mayores",
    people: "personas?|huespedes|gente|amig[oa]s",
    children: "nin[oa]s?|hij[oa]s?|bebes?|crios?|menor(?:es)?",
    forParty: "para",
    ofUs: "\\bsomos (#)\\b",
    couple: /\bpareja\b|\bmi (?:mujer|marido|novi[oa]|esposa|esposo) y yo\b|\bnosotros dos\b/,
    alone: /\bsol[oa]\b(?= |$)(?! (?:alojamiento|habitacion))|\bpara mi\b|\bviajo sol[oa]\b/,
    family: /\bfamilia\b/,
    ages: [
      "(\\d{1,2}) anos?\\b",
      "\\(\\s*(\\d{1,2})(?: anos?)?\\s*\\)",
      "\\bde (\\d{1,2}) (?:y|e) \\d{1,2} anos",
    ],
    including: /incluid|de (?:ellos|los cuales|las cuales)|contando/,
  },
  topics: {
    checkin:
      /check[- ]?in\b|(?:a que hora|cuando|desde que hora|a partir de que hora).{0,40}(?:entra|llega|registr|ingres|ocupar)|hora de (?:entrada|llegada)|entrada a partir/,
    early_checkin:
      /early check|(?:check-?in|entrad\w*|entrar|llegar|llegada) (?:mas )?(?:temprano|antes|anticipad)|antes de (?:la hora|las \d)|mas temprano/,
    checkout:
      /check[- ]?out|(?:a que hora|cuando|hasta que hora|hasta cuando).{0,40}(?:sali|dejar|abandon|desocup)|hora de salida|salida hasta/,
    late_checkout:
      /late check|(?:check-?out|salida|salir) (?:mas )?tard|dejar .{0,20}mas tarde|quedarnos? mas/,
    reception:
      /llegada tardia|llega\w* (?:muy )?tarde|medianoche|recepcion|24 ?h(?:oras)?\b|toda la noche/,
    luggage: /equipaje|maletas?|consigna/,
    address:
      /direccion|donde (?:esta|queda|se encuentra|se ubica)|ubicaci|ubicad|como (?:llego|llegar|llegamos|se llega)|(?:que|cual) (?:calle|ciudad|barrio|zona)|barrio|codigo postal/,
    distance:
      /a que distancia|que tan lejos|\blejos\b|\bcerca\b|cercan|aeropuerto|estacion|\bmetro\b|\bplaya|parada|centro de la ciudad|al centro|andando|a pie|atracciones/,
    phone: /telefono|llamar|contact|numero de tel/,
    email: /correo|e-?mail/,
    timezone: /zona horaria|huso horario|hora local/,
    about:
      /(?:hablame|cuentame|describe|descri\w+|informacion|mas) (?:mas )?(?:sobre|del|de|el|acerca del?) (?:este |el )?(?:hotel|alojamiento)|que (?:tipo|clase) de hotel|como es el hotel/,
    stars: /estrellas?\b|categoria del hotel|clasificacion/,
    rooms:
      /que (?:tipos? de |clases? de )?habitaci|cuales .{0,15}habitaciones|tipos? de habitaci|(?:hay|tienen|teneis) (?:una |alguna )?(?:suites?|habitacion(?:es)? (?:familiar|individual|doble|twin)\w*)\b(?!.{0,30}(?:libre|disponible))/,
    beds: /\bcamas?\b(?! supletoria| extra| adicional)|matrimonio/,
    size: /que (?:tamano|superficie)|tamano|metros cuadrados|\bm2\b|\bm²|como de grande|que tan grande|mas grande|superficie/,
    occupancy:
      /cuant[ao]s (?:personas|huespedes|adultos) (?:caben|pueden|puede|entran|admite|como maximo)|(?:para|caben) cuant[ao]s personas|ocupacion maxima|capacidad|caben|maximo de personas/,
    room_count: /cuantas habitaciones|numero de habitaciones|como de grande es el hotel/,
    extra_bed: /cama (?:supletoria|extra|adicional)|sofa ?cama/,
    smoking: /fuma|cigarr/,
    pets: /mascota|\bperr[oa]s?\b|\bgat[oa]s?\b|\banimal(?:es)?\b/,
    children:
      /politica .{0,15}(?:ninos|menores)|(?:nin[oa]s?|bebes?|menores|hij[oa]s?)\b.{0,30}(?:gratis|pagan?|bienvenid|admit|permit|aloja|cuest|descuento|acepta)|(?:gratis|acepta\w*|admit\w*|permit\w*) .{0,20}(?:nin|bebe|menor)|(?:apto|adecuado|ideal) para (?:nin|famil)|para familias/,
    minimum_age: /edad minima|limite de edad|solo adultos|que edad hay que/,
    meals:
      /desayun|media pension|pension completa|todo incluido|\bcomidas?\b|\bcenas?\b|almuerzo|solo alojamiento|regimen/,
    meal_price:
      /(?:cuanto|precio|cuesta|coste|suplemento).{0,25}(?:desayun|cena|comida)|(?:a que hora|hasta que hora|horario).{0,25}(?:desayun|cena)/,
    amenities:
      /instalaciones|servicios (?:hay|tiene|ofrece|del hotel)|que (?:servicios|ofrece|tiene el hotel)|comodidades|equipamiento|que (?:hay|tienen) (?:en )?(?:la|las) habitaci/,
    cancellation: /cancel|anular|anulacion|reembols|devol(?:ucion|ver|ven)|no presentarse|no-?show/,
    taxes: /impuesto|\biva\b|\btasas?\b|recargo|tasa turistica/,
    currency: /moneda|divisa|en (?:euros|dolares|libras|yenes|francos)\b/,
    payment:
      /\bpag(?:ar|o|os|amos|a)\b(?! .{0,5}ninos)|tarjeta|efectivo|\bvisa\b|mastercard|deposito|fianza|factura|paypal|apple pay/,
    discount: /descuento|promocion|cupon|codigo promocional|oferta especial|fidelidad/,
    price:
      /precio|cuesta|cuanto (?:es|vale|sale|seria|cobran)|\bcost|\btarifas?\b|barat|economic|caro|en total|presupuesto|\btotal\b|\bofertas?\b/,
    availability:
      /disponib|\blibres?\b|(?:hay|queda\w*|tienen|teneis) .{0,25}habitaci\w*.{0,20}\b(?:para|del|desde|el|este)\b|(?:necesito|busco|quiero|quisiera|queremos|quisieramos|me gustaria) .{0,25}habitaci|hay sitio|completo/,
    booking:
      /como (?:puedo |se puede |podemos |hago para )?(?:reserv|hacer una reserva)|(?:puedo|quiero|quisiera|me gustaria|podemos) (?:hacer una )?reserv|donde (?:puedo )?reserv/,
    own_booking:
      /(?:mi|nuestra) reserva|(?:cambiar|modificar) (?:la|mi|nuestra) (?:reserva|fecha)|(?:codigo|numero) de (?:confirmacion|reserva)|ya (?:he reservado|reserve)/,
    identity:
      /eres (?:un |una )?(?:bot|robot|humano|persona|ia|maquina)|quien eres|que (?:puedes|sabes) hacer|con quien hablo/,
  },
  rooms: {
    single: /habitaci\w+ (?:individual|sencilla|simple)|\bindividual(?:es)?\b/,
    double: /habitaci\w+ dobles?|\buna doble\b|\bdobles?\b/,
    twin: /\btwin\b|dos camas/,
    superior: /\bsuperior\b/,
    family: /habitaci\w+ familiar(?:es)?/,
    suite: /\bsuites?\b/,
  },
  withBreakfast: /con (?:el )?desayuno|desayuno incluido/,
  refundable: /cancelacion gratuita|cancelacion gratis|cancelable|reembolsable|flexible/,
  cost: /cuanto|cuesta|precio|gratis|gratuit|\bcost|cobran|extra|incluid|de pago|suplemento/,
  greeting: /^\W*(?:hola|buenos dias|buenas (?:tardes|noches)|buenas)\b/,
  thanks: /\bgracias|\badios/,
};
