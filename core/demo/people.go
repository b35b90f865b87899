package demo

// country is where customers and stores are: its weight among the customers, its
// phone prefix, and the names that occur there.
type country struct {
	name, prefix string
	weight       int
	given        []string
	family       []string
	cities       []string
	streets      []string
	familyFirst  bool
}

var countries = []country{
	{"Germany", "+49", 20, []string{"Jürgen", "Anna", "Björn", "Käthe", "Lukas", "Marie", "Sören", "Ute"},
		[]string{"Müller", "Schäfer", "Weiß", "Köhler", "Schmidt", "Groß", "Becker", "Jäger"},
		[]string{"Berlin", "München", "Köln"}, []string{"Hauptstraße", "Lindenweg", "Goethestraße"}, false},
	{"France", "+33", 14, []string{"Zoé", "François", "Hélène", "Noël", "Chloé", "André", "Éloïse", "Luc"},
		[]string{"Lefèvre", "Dupont", "Gauthier", "Bérard", "Moreau", "Ménard", "Petit", "Garçon"},
		[]string{"Paris", "Lyon", "Besançon"}, []string{"rue de la Paix", "avenue Victor-Hugo", "quai Saint-Rémi"}, false},
	{"Poland", "+48", 12, []string{"Łukasz", "Zofia", "Stanisław", "Agnieszka", "Michał", "Żaneta", "Józef", "Kasia"},
		[]string{"Wiśniewski", "Wójcik", "Kowalczyk", "Zieliński", "Dąbrowska", "Szymańska", "Nowak", "Łęcki"},
		[]string{"Warszawa", "Kraków", "Łódź"}, []string{"ulica Długa", "ulica Świętojańska", "aleja Róż"}, false},
	{"South Korea", "+82", 12, []string{"민준", "서연", "도윤", "지우", "하은", "예준", "수빈", "현우"},
		[]string{"김", "이", "박", "최", "정", "강", "조", "윤"},
		[]string{"서울", "부산", "대구"}, []string{"세종대로", "강남대로", "중앙로"}, true},
	{"United Kingdom", "+44", 10, []string{"Oliver", "Amelia", "Siân", "Harry", "Isla", "Rhys", "Freya", "Zoë"},
		[]string{"Smith", "O'Neill", "Taylor", "Evans", "Brontë", "Walker", "Hughes", "Clarke"},
		[]string{"London", "Leeds", "Cardiff"}, []string{"High Street", "Church Lane", "Station Road"}, false},
	{"United States", "+1", 9, []string{"James", "Mary", "José", "Linda", "Renée", "David", "Ava", "Noah"},
		[]string{"Johnson", "Garcia", "Brown", "Núñez", "Davis", "Wilson", "Lee", "Clark"},
		[]string{"Chicago", "Austin", "San José"}, []string{"Main Street", "Oak Avenue", "5th Street"}, false},
	{"Spain", "+34", 8, []string{"Lucía", "José", "Martín", "Begoña", "Iñigo", "Sofía", "Álvaro", "Carmen"},
		[]string{"García", "Fernández", "Ibáñez", "López", "Muñoz", "Sánchez", "Vidal", "Peña"},
		[]string{"Madrid", "Málaga", "A Coruña"}, []string{"calle Mayor", "calle del Año", "paseo de Gracia"}, false},
	{"Italy", "+39", 8, []string{"Niccolò", "Giulia", "Matteo", "Chiara", "Letizia", "Luca", "Marta", "Paolo"},
		[]string{"Rossi", "Bianchi", "Esposito", "D'Angelo", "Nicolò", "Ricci", "Greco", "Conti"},
		[]string{"Roma", "Milano", "Forlì"}, []string{"via Roma", "corso Italia", "via Garibaldi"}, false},
	{"Netherlands", "+31", 6, []string{"Daan", "Sanne", "Renée", "Bram", "Loïs", "Tijn", "Fleur", "Jan"},
		[]string{"de Vries", "van den Berg", "Bakker", "Visser", "Smit", "Meijer", "Mulder", "Bos"},
		[]string{"Amsterdam", "Utrecht", "Groningen"}, []string{"Kerkstraat", "Dorpsweg", "Lange Voorhout"}, false},
	{"Sweden", "+46", 5, []string{"Åsa", "Göran", "Märta", "Sven", "Ebba", "Örjan", "Lars", "Elsa"},
		[]string{"Åkesson", "Lindström", "Sjöberg", "Ekström", "Nilsson", "Öberg", "Lund", "Holm"},
		[]string{"Stockholm", "Göteborg", "Malmö"}, []string{"Storgatan", "Kungsgatan", "Sjövägen"}, false},
	{"Norway", "+47", 4, []string{"Bjørn", "Ingrid", "Håkon", "Solveig", "Øyvind", "Liv", "Jørgen", "Kari"},
		[]string{"Hansen", "Bjørnstad", "Ødegård", "Berg", "Strøm", "Lie", "Moen", "Solberg"},
		[]string{"Oslo", "Bergen", "Tromsø"}, []string{"Storgata", "Kirkeveien", "Sjøgata"}, false},
	{"Denmark", "+45", 4, []string{"Søren", "Freja", "Mads", "Asbjørn", "Ida", "Jørn", "Maja", "Kåre"},
		[]string{"Jensen", "Sørensen", "Møller", "Kjær", "Lund", "Nørgaard", "Holm", "Ås"},
		[]string{"København", "Aarhus", "Helsingør"}, []string{"Nørregade", "Strandvejen", "Algade"}, false},
	{"Finland", "+358", 3, []string{"Väinö", "Aino", "Päivi", "Eero", "Jyrki", "Helmi", "Ilkka", "Sampo"},
		[]string{"Mäkinen", "Virtanen", "Hämäläinen", "Korhonen", "Järvinen", "Niemi", "Lehtonen", "Pöysti"},
		[]string{"Helsinki", "Tampere", "Jyväskylä"}, []string{"Mannerheimintie", "Hämeenkatu", "Kauppakatu"}, false},
	{"Czechia", "+420", 4, []string{"Jiří", "Tereza", "Ondřej", "Zdeněk", "Eliška", "Tomáš", "Věra", "Jan"},
		[]string{"Novák", "Dvořák", "Černý", "Procházka", "Kučera", "Říha", "Veselý", "Šimek"},
		[]string{"Praha", "Brno", "Plzeň"}, []string{"Dlouhá", "Náměstí Míru", "Příčná"}, false},
	{"Türkiye", "+90", 4, []string{"Şebnem", "Çağla", "İbrahim", "Gül", "Ömer", "Emre", "Ayşe", "Deniz"},
		[]string{"Yılmaz", "Öztürk", "Çelik", "Şahin", "Aydın", "Güneş", "Kaya", "Arslan"},
		[]string{"İstanbul", "İzmir", "Ankara"}, []string{"Bağdat Caddesi", "İstiklal Caddesi", "Atatürk Bulvarı"}, false},
	{"Japan", "+81", 4, []string{"陽菜", "蓮", "結衣", "大翔", "葵", "悠真", "さくら", "湊"},
		[]string{"佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村"},
		[]string{"東京", "大阪", "札幌"}, []string{"中央通り", "本町", "桜通り"}, true},
	{"Greece", "+30", 3, []string{"Γιώργος", "Μαρία", "Νίκος", "Ελένη", "Κώστας", "Σοφία", "Άννα", "Πέτρος"},
		[]string{"Παπαδόπουλος", "Γεωργίου", "Νικολάου", "Δημητρίου", "Βασιλείου", "Ιωάννου", "Οικονόμου", "Λάμπρου"},
		[]string{"Αθήνα", "Πάτρα", "Θεσσαλονίκη"}, []string{"Ερμού", "Πανεπιστημίου", "Αγίου Νικολάου"}, false},
	{"Portugal", "+351", 3, []string{"João", "Inês", "Gonçalo", "Conceição", "Tomé", "Rita", "Luís", "Benedita"},
		[]string{"Gonçalves", "Simões", "Araújo", "Magalhães", "Silva", "Conceição", "Lopes", "Brandão"},
		[]string{"Lisboa", "Porto", "Évora"}, []string{"rua Augusta", "avenida da Liberdade", "travessa da Fé"}, false},
	{"Brazil", "+55", 5, []string{"Antônio", "Luíza", "Caetano", "Márcia", "Thiago", "Júlia", "Renato", "Íris"},
		[]string{"Souza", "Gonçalves", "Araújo", "Assunção", "Lima", "Falcão", "Rocha", "Pires"},
		[]string{"São Paulo", "Brasília", "Florianópolis"}, []string{"rua das Flores", "avenida Paulista", "rua São João"}, false},
}
