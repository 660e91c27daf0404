import type { Lexicon } from "../lexicon.ts";

export const pt: Lexicon = {
  hints:
    "o a os as um uma uns de do da dos das no na nos nas ao que quem qual quais possivel fale quanto quanta quantos " +
    "quantas como quando onde ha tem tem-se tenho e ou com para por em se pode posso podemos hotel " +
    "quarto quartos noite noites pequeno-almoco pequeno almoco cafe manha preco gratis gratuito " +
    "criancas crianca cao caes cachorro animais adultos pessoas livre amanha proximo fim semana " +
    "custa incluido hora cancelar cancelamento estacionamento piscina meu minha mais barato esta " +
    "estao voces nao sao dois duas fica existe aceitam",
  months: [
    ...["jan(?:eiro)?", "fev(?:ereiro)?", "mar(?:co)?", "abr(?:il)?", "mai(?:o)?", "jun(?:ho)?"],
    ...["jul(?:ho)?", "ago(?:sto)?", "set(?:embro)?", "out(?:ubro)?", "nov(?:embro)?"],
    "dez(?:embro)?",
  ],
  weekdays: [
    ...["segunda(?:-feira)?", "terca(?:-feira)?", "quarta(?:-feira)?", "quinta(?:-feira)?"],
    ...["sexta(?:-feira)?", "sabado", "domingo"],
  ],
  numbers: [
    ...["uma?", "dois|duas", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"],
    ...["onze", "doze"],
  ],
  dates: {
    today: /\bhoje\b|\besta noite\b/,
    tomorrow: /(?<!depois de )\bamanha\b/,
    dayAfterTomorrow: /\bdepois de amanha\b/,
    inDays: "\\b(?:em|daqui a|dentro de) # dias?\\b",
    inWeeks: "\\b(?:em|daqui a|dentro de) # semanas?\\b",
    weekend: /\bfi(?:m|ns)[- ]de[- ]semana\b/,
    nextWeekend: /\bproximo fim[- ]de[- ]semana\b|\bfim[- ]de[- ]semana (?:que vem|proximo)\b/,
    weekendAfter: /\bfim[- ]de[- ]semana (?:seguinte|depois)\b/,
    vague:
      /\b(?:proxim[oa]|est[ea]) (?:semana|mes|ano|verao|inverno|primavera|outono)\b|\b(?:semana|mes|ano) que vem\b|\bno (?:verao|inverno|outono)\b|\bnatal\b|ano novo|reveillon|pascoa/,
    until: /\bate\b/,
    nights: "noites?",
    days: "dias?",
    forWeeks: "\\b(?:por |durante )?# semanas?\\b",
  },
  party: {
    adults: "adult[oa]s?",
    people: "pessoas?|hospedes?|viajantes|amig[oa]s",
    children: "criancas?|filh[oa]s?|bebes?|meninos?|meninas?|miudos?",
    forParty: "para",
    ofUs: "\\bsomos (#)\\b|\\ba (dois|tres|quatro)\\b",
    couple:
      /\bcasal\b|\b(?:minha (?:mulher|esposa|namorada)|meu (?:marido|namorado|companheiro)) e eu\b|\beu e (?:a minha|o meu|minha|meu) (?:mulher|esposa|marido|namorad[oa])\b|\bnos dois\b/,
    alone: /\bsozinh[oa]\b|\bpara mim\b|\bso eu\b/,
    family: /\bfamilia\b/,
    ages: ["(\\d{1,2}) anos?\\b", "\\(\\s*(\\d{1,2})(?: anos?)?\\s*\\)"],
    including: /incluindo|dos quais|das quais|sendo/,
  },
  topics: {
    checkin:
      /check[- ]?in\b|(?:a que horas?|quando|a partir de que horas?|que horas?).{0,40}(?:entra|chega|registo|registro)|hora(?:rio)? de (?:entrada|chegada)|entrada a partir/,
    early_checkin:
      /early check|(?:check-?in|entrada|entrar|chegar|chegada) (?:mais cedo|antes|antecipad|cedo)|antes d(?:as|a hora)|mais cedo/,
    checkout:
      /check[- ]?out|(?:a que horas?|quando|ate que horas?|ate quando).{0,40}(?:sai|deixar|desocup|liberar)|hora(?:rio)? de saida|saida ate/,
    late_checkout:
      /late check|(?:check-?out|saida|sair).{0,15} (?:mais )?tard|check-?out tardio|deixar .{0,20}mais tarde|ficar .{0,15}mais tempo no quarto/,
    reception:
      /chegada tardia|cheg\w+ (?:muito )?tarde|meia[- ]noite|rececao|recepcao|24 ?h(?:oras)?\b|toda a noite|a noite toda/,
    luggage: /bagage[mn]|\bmalas?\b/,
    address:
      /endereco|morada|onde (?:fica|esta|se situa|se localiza|posso encontrar)|localiza|situad|como (?:chego|chegar|chegamos|se chega)|(?:que|qual) (?:a )?(?:rua|cidade|bairro|zona)|em que (?:rua|cidade|bairro|zona)|bairro|codigo postal|\bcep\b/,
    distance:
      /a que distancia|distancia|longe|\bperto\b|proxim[oa] d[aeo]|proximidade|aeroporto|estacao|\bmetro\b|\bpraia|paragem|ponto de onibus|centro da cidade|do centro|\ba pe\b|atracoes/,
    phone: /telefone|telefonar|ligar|contact|contato|numero de tel/,
    email: /e-?mail|correio eletronico/,
    timezone: /fuso horario|hora local/,
    about:
      /(?:fale|fala|conte|conta|descrev\w+|diga|informacoes) .{0,20}(?:hotel|alojamento)|que (?:tipo|genero) de hotel|como e o hotel/,
    stars: /estrelas?\b|categoria do hotel|classificacao/,
    rooms:
      /(?:que|quais) (?:sao os |os )?(?:tipos? de )?quartos|tipos? de quartos?|(?:ha|tem|existem?|voces tem) (?:um |uma |alguma? )?(?:suites?|quartos? (?:familiar|individual|solteiro|duplo|twin|de casal)\w*)\b(?!.{0,30}(?:livre|disponivel|vago))/,
    beds: /\bcamas?\b(?! extra| adicional| suplementar)|cama de casal/,
    size: /qual (?:e )?(?:o )?(?:tamanho|a area)|tamanho|metros quadrados|\bm2\b|\bm²|(?:quao|o quao) grande|maior quarto|\barea\b/,
    occupancy:
      /quant[ao]s (?:pessoas|hospedes) (?:pode|cabe|no maximo|acomod)|(?:para|cabem) quantas pessoas|ocupacao maxima|lotacao|capacidade|maximo de pessoas|cabem/,
    room_count: /quantos quartos|numero de quartos/,
    extra_bed: /cama (?:extra|adicional|suplementar)|sofa[- ]?cama/,
    smoking: /fuma|cigarr/,
    pets: /animais|\banimal\b|\bc(?:ao|aes)\b|cachorr|\bgatos?\b|\bpets?\b/,
    children:
      /politica .{0,15}criancas?|(?:criancas?|bebes?)\b.{0,30}(?:gratis|gratuit|pagam?|bem-?vind|aceit|permit|hosped|ficam|desconto)|(?:gratis|gratuit\w*|aceit\w*|permit\w*) .{0,20}(?:crianca|bebe)|(?:adequado|ideal|bom) para (?:crianca|famil)/,
    minimum_age: /idade minima|limite de idade|so (?:para )?adultos|apenas adultos/,
    meals:
      /pequeno[- ]almoco|cafe da manha|meia[- ]pensao|pensao completa|tudo incluido|\brefeic|\bjantar|\balmoco\b|so alojamento|regime/,
    meal_price:
      /(?:quanto|preco|custa|custo|suplemento).{0,25}(?:pequeno[- ]almoco|cafe da manha|jantar|refeic)|(?:a que horas?|ate que horas?|horario).{0,25}(?:pequeno[- ]almoco|cafe da manha|jantar)/,
    amenities:
      /comodidades|instalacoes|(?:que|quais) (?:sao os )?servicos|o que (?:o hotel )?(?:oferece|tem o hotel)|equipamentos?|servicos (?:do hotel|oferec)|o que ha (?:no|nos) quarto/,
    cancellation: /cancel|anular|reembols|devol(?:ucao|vem|ver)|no-?show|nao comparec/,
    taxes: /\btaxas?\b|imposto|\biva\b|taxa turistica|sobretaxa/,
    currency: /moeda|em (?:euros|dolares|libras|ienes|francos|reais)\b/,
    payment:
      /\bpag(?:ar|amento|amentos|amos|o)\b|cartao|cartoes|dinheiro|\bvisa\b|mastercard|deposito|caucao|sinal\b|fatura|paypal|apple pay|multibanco|\bpix\b/,
    discount: /desconto|promoc|cupao|cupom|codigo promocional|oferta especial|fidelidade/,
    price:
      /preco|\bcusta|quanto (?:e|fica|sai|seria|custa|cobram)|\bcusto|\btarifas?\b|barat|economic|\bcaro\b|no total|ao todo|\btotal\b|orcamento|\bofertas?\b/,
    availability:
      /disponi|\blivres?\b|\bvag[ao]s?\b|(?:ha|tem|existe|resta\w*) .{0,25}quarto\w*.{0,20}\b(?:para|de|no|neste)\b|(?:preciso|procuro|quero|queria|queremos|gostaria|gostariamos) .{0,25}quarto|esgotado|lotado/,
    booking:
      /como (?:posso |se |podemos |faco para )?(?:reserv|fazer uma reserva)|(?:posso|quero|queria|gostaria de|podemos) (?:fazer uma )?reserv|onde (?:posso )?reserv/,
    own_booking:
      /(?:minha|nossa) reserva|(?:alterar|mudar|modificar) (?:a|as|o) (?:minha |nossa )?(?:reserva|datas)|(?:codigo|numero) d[ae] (?:confirmacao|reserva)|ja reservei/,
    identity:
      /(?:es|voce e|e) (?:um |uma )?(?:bot|robo|humano|pessoa real|ia|maquina)\b|quem (?:es|e voce)|o que (?:podes|pode|sabes|consegue) fazer|com quem (?:falo|estou a falar|estou falando)/,
  },
  rooms: {
    single: /quartos? (?:individua(?:l|is)|simples|de solteiro|single)|\bindividual\b/,
    double: /quartos? (?:duplos?|de casal)|\bum duplo\b/,
    twin: /\btwin\b|duas camas/,
    superior: /\bsuperior\b/,
    family: /quartos? (?:familiar(?:es)?|de familia|familia)/,
    suite: /\bsuites?\b/,
  },
  withBreakfast:
    /com (?:o )?(?:pequeno[- ]almoco|cafe da manha)|(?:pequeno[- ]almoco|cafe da manha) incluido/,
  refundable: /cancelamento (?:gratuito|gratis)|cancelavel|reembolsavel|flexivel/,
  cost: /quanto|custa|custo|preco|gratis|gratuit|pago|suplemento|incluid|extra/,
  greeting: /^\W*(?:ola|oi|bom dia|boa (?:tarde|noite))\b/,
  thanks: /\bobrigad|\badeus|\btchau/,
};
