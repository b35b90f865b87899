package demo

// department is a category with its own categories.
type department struct {
	name       string
	categories []category
}

// category says what is sold in it, for how much, and how often it comes back.
type category struct {
	name       string
	low, high  int // price in cents
	returnRate int // of a thousand lines
	things     []string
}

var departments = []department{
	{"Home", []category{
		{"Kitchen", 790, 8990, 35, []string{"Kettle", "Frying Pan", "Knife Set", "Mug", "Teapot"}},
		{"Furniture", 4990, 89900, 70, []string{"Chair", "Shelf", "Desk", "Stool", "Sideboard"}},
		{"Lighting", 1490, 19900, 40, []string{"Desk Lamp", "Pendant", "Floor Lamp", "Night Light"}},
	}},
	{"Clothing", []category{
		{"Women", 1990, 14900, 150, []string{"Dress", "Blouse", "Coat", "Jeans", "Scarf"}},
		{"Men", 1990, 15900, 120, []string{"Shirt", "Jacket", "Chinos", "Jumper", "Belt"}},
		{"Shoes", 3990, 18900, 170, []string{"Sneaker", "Boot", "Sandal", "Loafer"}},
	}},
	{"Electronics", []category{
		{"Audio", 1990, 34900, 60, []string{"Headphones", "Speaker", "Radio", "Earbuds"}},
		{"Computing", 990, 129900, 55, []string{"Keyboard", "Monitor", "Mouse", "Laptop", "Webcam"}},
	}},
	{"Books", []category{
		{"Fiction", 690, 2490, 12, []string{"Novel", "Crime Novel", "Short Stories", "Poems"}},
		{"Non-fiction", 990, 4990, 15, []string{"Cookbook", "Travel Guide", "Atlas", "Biography"}},
	}},
	{"Sports", []category{
		{"Outdoor", 1290, 39900, 65, []string{"Tent", "Backpack", "Stove", "Sleeping Bag", "Headtorch"}},
		{"Fitness", 990, 24900, 50, []string{"Yoga Mat", "Dumbbell", "Skipping Rope", "Bench"}},
		{"Cycling", 790, 199900, 45, []string{"Helmet", "Pump", "Saddle", "Bicycle", "Lock"}},
	}},
	{"Toys", []category{
		{"Games", 990, 6990, 25, []string{"Board Game", "Card Game", "Puzzle", "Dice Game"}},
		{"Building", 1490, 24900, 30, []string{"Brick Set", "Train Set", "Marble Run"}},
	}},
}

var makers = []string{"Aldér", "Böhm", "Fjäll", "Kanto", "Lumière", "Nordlys", "Olmo", "Piast", "Sowa", "한빛"}

// origins are the values of products."원산지", the country of origin; an empty
// one is null.
var origins = []string{"대한민국", "독일", "프랑스", "폴란드", "이탈리아", "일본", "포르투갈", "베트남", ""}

var returnReasons = []string{"too small", "too large", "damaged", "not as described", "changed my mind", ""}

var paymentMethods = []string{"card", "card", "card", "invoice", "wallet", "transfer"}
